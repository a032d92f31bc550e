package io.bellwether.serving.policy;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.Release;
import io.bellwether.policy.version.Releases;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
import io.bellwether.serving.request.Actor;
import io.bellwether.serving.request.JsonBody;
import io.bellwether.serving.request.JsonFields;
import io.bellwether.serving.request.Limits;
import io.bellwether.serving.security.AdminWhereSet;
import io.smallrye.common.annotation.Blocking;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@code /v1/releases}: the log of who released what and why, and what waits for approval. */
@Path("/v1/releases")
@Produces(MediaType.APPLICATION_JSON)
@Blocking
public final class ReleaseResource {

  private static final int MOST = 1000;

  private final PolicyStore store;
  private final PolicyLoader loader;

  ReleaseResource(PolicyStore store, PolicyLoader loader) {
    this.store = store;
    this.loader = loader;
  }

  /**
   * A page of the log.
   *
   * @param items oldest first
   * @param nextAfter what to ask for as {@code after} to get the next page; absent on the last one
   * @param broken why the log cannot be followed beyond what is listed; absent where it can
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record LogPage(
      List<ReleaseView> items, @Nullable Long nextAfter, @Nullable String broken) {}

  @GET
  public LogPage log(
      @QueryParam("policy") @Nullable String policy,
      @QueryParam("after") @DefaultValue("0") long after,
      @QueryParam("pageSize") @DefaultValue("100") int pageSize) {
    if (pageSize < 1 || pageSize > MOST) {
      throw ProblemException.of(Slug.VALUE_OUT_OF_RANGE, "pageSize must be from 1 to " + MOST);
    }
    Releases releases = store.releases();
    List<Release> found =
        releases.all().stream()
            .filter(each -> each.sequence() > after)
            .filter(each -> policy == null || each.concerns(policy))
            .limit(pageSize + 1L)
            .toList();
    boolean more = found.size() > pageSize;
    List<Release> page = more ? found.subList(0, pageSize) : found;
    return new LogPage(
        page.stream().map(ReleaseView::of).toList(),
        more ? page.get(pageSize - 1).sequence() : null,
        releases.defect().orElse(null));
  }

  /** What waits for a second person. */
  @GET
  @Path("proposals")
  public PolicyResource.Page<ReleaseView> proposals() {
    return new PolicyResource.Page<>(
        store.releases().proposals().stream().map(ReleaseView::of).toList());
  }

  /** Does what somebody else has proposed. */
  @POST
  @AdminWhereSet
  @Consumes(MediaType.APPLICATION_JSON)
  @Path("{sequence}:approve")
  public ReleaseView approve(
      @PathParam("sequence") String sequence,
      @HeaderParam(Actor.HEADER) @Nullable String actor,
      byte[] body) {
    long proposal = number(sequence);
    String why = reason(body);
    Release made =
        Refusals.asProblems(() -> store.releases().approve(proposal, Actor.of(actor), why));
    loader.wake();
    return ReleaseView.of(made);
  }

  /** Turns a proposal down. */
  @POST
  @AdminWhereSet
  @Consumes(MediaType.APPLICATION_JSON)
  @Path("{sequence}:decline")
  public ReleaseView decline(
      @PathParam("sequence") String sequence,
      @HeaderParam(Actor.HEADER) @Nullable String actor,
      byte[] body) {
    long proposal = number(sequence);
    String why = reason(body);
    return ReleaseView.of(
        Refusals.asProblems(() -> store.releases().decline(proposal, Actor.of(actor), why)));
  }

  private static long number(String sequence) {
    if (!sequence.matches("[0-9]{1,18}")) {
      throw ProblemException.of(Slug.NOT_FOUND, "'" + sequence + "' is no release.");
    }
    return Long.parseLong(sequence);
  }

  private static String reason(byte[] body) {
    JsonFields fields =
        JsonFields.ofRequest(JsonBody.parse(body, Limits.STANDARD.bodyBytes()))
            .only(Set.of("reason"));
    String reason = PolicyResource.reason(fields);
    fields.check();
    return reason;
  }
}
