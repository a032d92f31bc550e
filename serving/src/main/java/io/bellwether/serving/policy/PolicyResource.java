package io.bellwether.serving.policy;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.bellwether.policy.version.Alias;
import io.bellwether.policy.version.AliasMove;
import io.bellwether.policy.version.ApprovalNeededException;
import io.bellwether.policy.version.GateVerdict;
import io.bellwether.policy.version.MoveRequest;
import io.bellwether.policy.version.PolicyManifest;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.PolicyVersion;
import io.bellwether.policy.version.Release;
import io.bellwether.policy.version.Releases;
import io.bellwether.policy.version.Standing;
import io.bellwether.policy.version.VersionId;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
import io.bellwether.serving.request.Actor;
import io.bellwether.serving.request.JsonBody;
import io.bellwether.serving.request.JsonFields;
import io.bellwether.serving.request.Limits;
import io.bellwether.serving.security.AdminWhereSet;
import io.bellwether.serving.surface.DeclaredSurface;
import io.bellwether.serving.surface.Surfaces;
import io.smallrye.common.annotation.Blocking;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Clock;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * {@code /v1/policies}: which versions there are, which one answers, moving the aliases, and
 * holding them still.
 */
@Path("/v1/policies")
@Produces(MediaType.APPLICATION_JSON)
@Blocking
public final class PolicyResource {

  private static final Set<String> MOVE_FIELDS = Set.of("alias", "expected", "reason", "override");
  private static final Set<String> ROLLBACK_FIELDS = Set.of("alias", "reason");
  private static final Set<String> PIN_FIELDS = Set.of("version", "reason");
  private static final Set<String> REASON = Set.of("reason");
  private static final int ACCEPTED = 202;

  private final PolicyStore store;
  private final Surfaces surfaces;
  private final Versions versions;
  private final PolicyLoader loader;
  private final Clock clock;

  PolicyResource(
      PolicyStore store, Surfaces surfaces, Versions versions, PolicyLoader loader, Clock clock) {
    this.clock = clock;
    this.store = store;
    this.surfaces = surfaces;
    this.versions = versions;
    this.loader = loader;
  }

  /** All of a list's elements on one page. */
  public record Page<T>(List<T> items) {}

  /**
   * A policy.
   *
   * @param name equal to its surface's
   * @param aliases version by alias; only those that point somewhere
   * @param serving the version that answers here now, {@code uniform} while there is none
   * @param refused why the champion is not the one that answers; absent where it is
   * @param pinned the version that answers wherever the champion points; absent where none does
   * @param frozen whether nothing may be moved or pinned
   * @param approvals the aliases that move only with a second person's approval
   * @param open what is known of the version that answers; absent while there is none
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record PolicyView(
      String name,
      Map<String, String> aliases,
      @Nullable String serving,
      @Nullable String refused,
      @Nullable String pinned,
      boolean frozen,
      List<String> approvals,
      @Nullable OpenVersion open,
      int versions) {}

  /**
   * Where a policy stood at a time.
   *
   * @param serving the version that answered by default; absent: none, and it was explored
   *     uniformly
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record StandingView(
      String name,
      Instant at,
      Map<String, String> aliases,
      @Nullable String serving,
      @Nullable String pinned,
      boolean frozen,
      List<String> approvals) {}

  /** A move that waits for a second person, with its number in the release log. */
  public record ProposalView(long proposal, String detail) {}

  /** A version of a policy. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record VersionView(
      String version,
      long sequence,
      String state,
      @Nullable String verdict,
      Instant publishedAt,
      @Nullable String algorithm,
      @Nullable String parent,
      @Nullable Map<String, Double> metrics,
      @Nullable String unreadable) {}

  /** A move of an alias. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record MoveView(
      String name,
      String alias,
      @Nullable String from,
      @Nullable String to,
      long sequence,
      Instant at) {

    static MoveView of(AliasMove move) {
      return new MoveView(
          move.name(),
          move.alias().word(),
          move.from() == null ? null : move.from().value(),
          move.to() == null ? null : move.to().value(),
          move.sequence(),
          move.at());
    }
  }

  @GET
  public Page<PolicyView> list() {
    Set<String> names = new TreeSet<>(store.names());
    surfaces.all().forEach(surface -> names.add(surface.name()));
    return new Page<>(names.stream().map(this::view).toList());
  }

  @GET
  @Path("{name}")
  public PolicyView get(@PathParam("name") String name) {
    requireKnown(name);
    return view(name);
  }

  @GET
  @Path("{name}/versions")
  public Page<VersionView> versions(@PathParam("name") String name) {
    requireKnown(name);
    List<VersionView> views = new ArrayList<>();
    if (store.names().contains(name)) {
      store.versions(name).forEach(version -> views.add(view(version)));
    }
    return new Page<>(views);
  }

  /** Where a policy stood at a time, now without one. */
  @GET
  @Path("{name}/standing")
  public StandingView standing(
      @PathParam("name") String name, @QueryParam("at") @Nullable String at) {
    requireKnown(name);
    Instant time = at == null ? clock.instant() : time(at);
    Releases releases = store.releases();
    Standing standing = at == null ? releases.now(name) : releases.at(name, time);
    return new StandingView(
        name,
        time,
        aliases(standing),
        standing.serving().map(VersionId::value).orElse(null),
        word(standing.pinned()),
        standing.frozen(),
        approvals(standing));
  }

  /**
   * Moves an alias to a version, if it points where the caller thinks; 202 where a second person
   * has to approve it.
   */
  @POST
  @AdminWhereSet
  @Consumes(MediaType.APPLICATION_JSON)
  @Path("{name}/versions/{version}:promote")
  public Response promote(
      @PathParam("name") String name,
      @PathParam("version") String version,
      @HeaderParam(Actor.HEADER) @Nullable String actor,
      byte[] body) {
    requireKnown(name);
    MoveRequest request = moveRequest(name, version, Actor.of(actor), body);
    try {
      AliasMove move = Refusals.asProblems(() -> store.move(request));
      loader.wake();
      return Response.ok(MoveView.of(move)).build();
    } catch (ApprovalNeededException e) {
      return Response.status(ACCEPTED)
          .entity(new ProposalView(e.proposal(), String.valueOf(e.getMessage())))
          .build();
    }
  }

  /** Takes the latest move of an alias back that was not taken back yet. */
  @POST
  @AdminWhereSet
  @Consumes(MediaType.APPLICATION_JSON)
  @Path("{name}:rollback")
  public MoveView rollback(
      @PathParam("name") String name,
      @HeaderParam(Actor.HEADER) @Nullable String actor,
      byte[] body) {
    requireKnown(name);
    JsonFields fields = fields(body, ROLLBACK_FIELDS);
    String word = fields.text("alias").orElse(Alias.CHAMPION.word());
    Optional<Alias> alias = alias(word);
    if (alias.isEmpty()) {
      fields.refuse("alias", "is '" + word + "', must be champion, challenger or shadow");
    }
    String reason = reason(fields);
    fields.check();
    AliasMove move =
        Refusals.asProblems(
            () -> store.rollback(name, alias.orElseThrow(), Actor.of(actor), reason));
    loader.wake();
    return MoveView.of(move);
  }

  /** Lets a version answer wherever the champion points. */
  @POST
  @AdminWhereSet
  @Consumes(MediaType.APPLICATION_JSON)
  @Path("{name}:pin")
  public ReleaseView pin(
      @PathParam("name") String name,
      @HeaderParam(Actor.HEADER) @Nullable String actor,
      byte[] body) {
    requireKnown(name);
    JsonFields fields = fields(body, PIN_FIELDS);
    String word = fields.requiredText("version");
    Optional<VersionId> version = versionId(word);
    if (fields.has("version") && version.isEmpty()) {
      fields.refuse("version", "is '" + word + "', must be a version");
    }
    String reason = reason(fields);
    fields.check();
    return did(() -> store.releases().pin(name, version.orElseThrow(), Actor.of(actor), reason));
  }

  /** Lets the champion answer again. */
  @POST
  @AdminWhereSet
  @Consumes(MediaType.APPLICATION_JSON)
  @Path("{name}:unpin")
  public ReleaseView unpin(
      @PathParam("name") String name,
      @HeaderParam(Actor.HEADER) @Nullable String actor,
      byte[] body) {
    requireKnown(name);
    String reason = onlyReason(body);
    return did(() -> store.releases().unpin(name, Actor.of(actor), reason));
  }

  /** Forbids all moves and pins. */
  @POST
  @AdminWhereSet
  @Consumes(MediaType.APPLICATION_JSON)
  @Path("{name}:freeze")
  public ReleaseView freeze(
      @PathParam("name") String name,
      @HeaderParam(Actor.HEADER) @Nullable String actor,
      byte[] body) {
    requireKnown(name);
    String reason = onlyReason(body);
    return did(() -> store.releases().freeze(name, Actor.of(actor), reason));
  }

  /** Allows moves and pins again. */
  @POST
  @AdminWhereSet
  @Consumes(MediaType.APPLICATION_JSON)
  @Path("{name}:unfreeze")
  public ReleaseView unfreeze(
      @PathParam("name") String name,
      @HeaderParam(Actor.HEADER) @Nullable String actor,
      byte[] body) {
    requireKnown(name);
    String reason = onlyReason(body);
    return did(() -> store.releases().unfreeze(name, Actor.of(actor), reason));
  }

  private ReleaseView did(Supplier<Release> call) {
    Release made = Refusals.asProblems(call);
    loader.wake();
    return ReleaseView.of(made);
  }

  private static String onlyReason(byte[] body) {
    JsonFields fields = fields(body, REASON);
    String reason = reason(fields);
    fields.check();
    return reason;
  }

  private static JsonFields fields(byte[] body, Set<String> known) {
    return JsonFields.ofRequest(JsonBody.parse(body, Limits.STANDARD.bodyBytes())).only(known);
  }

  /** The reason of a request; notes where it is missing or blank. */
  static String reason(JsonFields fields) {
    String reason = fields.requiredText("reason");
    if (fields.has("reason") && reason.isBlank()) {
      fields.refuse("reason", "is blank, must say why");
    }
    return reason;
  }

  private static Instant time(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw ProblemException.of(
          Slug.INVALID_REQUEST,
          "at is '" + text + "', must be a time such as 2026-11-30T09:00:00Z");
    }
  }

  private static MoveRequest moveRequest(String name, String version, String who, byte[] body) {
    JsonFields fields = fields(body, MOVE_FIELDS);
    String word = fields.requiredText("alias");
    Optional<Alias> alias = alias(word);
    if (alias.isEmpty()) {
      fields.refuse("alias", "is '" + word + "', must be champion, challenger or shadow");
    }
    Optional<String> expected = fields.text("expected");
    if (expected.isPresent() && versionId(expected.get()).isEmpty()) {
      fields.refuse("expected", "is '" + expected.get() + "', must be a version, or null for none");
    }
    String reason = reason(fields);
    Optional<String> override = fields.text("override");
    if (override.filter(String::isBlank).isPresent()) {
      fields.refuse("override", "is blank, must say why the verdict is not to decide");
    }
    fields.check();
    return new MoveRequest(
        name,
        alias.orElseThrow(),
        expected.flatMap(PolicyResource::versionId).orElse(null),
        versionId(version)
            .orElseThrow(
                () -> ProblemException.of(Slug.NOT_FOUND, "'" + version + "' is no version.")),
        who,
        reason,
        override.orElse(null));
  }

  private static Optional<Alias> alias(String word) {
    for (Alias alias : Alias.values()) {
      if (alias.word().equals(word)) {
        return Optional.of(alias);
      }
    }
    return Optional.empty();
  }

  private static Optional<VersionId> versionId(String text) {
    try {
      return Optional.of(new VersionId(text));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private void requireKnown(String name) {
    if (surfaces.find(name).isEmpty() && !store.names().contains(name)) {
      throw ProblemException.of(Slug.NOT_FOUND, "No policy is named '" + name + "'.");
    }
  }

  private PolicyView view(String name) {
    Standing standing = store.releases().now(name);
    Optional<DeclaredSurface> surface = surfaces.find(name);
    return new PolicyView(
        name,
        aliases(standing),
        surface.map(s -> versions.champion(s).orElse("uniform")).orElse(null),
        surface.flatMap(loader::refusal).orElse(null),
        word(standing.pinned()),
        standing.frozen(),
        approvals(standing),
        surface.flatMap(loader::open).orElse(null),
        store.names().contains(name) ? store.versions(name).size() : 0);
  }

  private static Map<String, String> aliases(Standing standing) {
    Map<String, String> aliases = new LinkedHashMap<>();
    for (Alias alias : Alias.values()) {
      standing.alias(alias).ifPresent(version -> aliases.put(alias.word(), version.value()));
    }
    return aliases;
  }

  private static List<String> approvals(Standing standing) {
    return standing.approvals().stream().sorted().map(Alias::word).toList();
  }

  private static @Nullable String word(@Nullable VersionId version) {
    return version == null ? null : version.value();
  }

  /** A version whose manifest cannot be read is listed all the same, with the reason. */
  private VersionView view(PolicyVersion version) {
    String verdict = store.verdict(version.id()).map(GateVerdict::word).orElse(null);
    String state = store.state(version.id()).name();
    try {
      PolicyManifest manifest = store.manifest(version.id());
      VersionId parent = manifest.parent();
      return new VersionView(
          version.id().value(),
          version.sequence(),
          state,
          verdict,
          version.at(),
          manifest.algorithm(),
          parent == null ? null : parent.value(),
          manifest.metrics(),
          null);
    } catch (RuntimeException e) {
      return new VersionView(
          version.id().value(),
          version.sequence(),
          state,
          verdict,
          version.at(),
          null,
          null,
          null,
          e.getMessage());
    }
  }
}
