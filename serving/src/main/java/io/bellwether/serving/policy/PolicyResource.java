package io.bellwether.serving.policy;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.bellwether.policy.version.Alias;
import io.bellwether.policy.version.AliasConflictException;
import io.bellwether.policy.version.AliasMove;
import io.bellwether.policy.version.GateVerdict;
import io.bellwether.policy.version.MoveRequest;
import io.bellwether.policy.version.PolicyManifest;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.PolicyVersion;
import io.bellwether.policy.version.PromotionRefusedException;
import io.bellwether.policy.version.UnknownVersionException;
import io.bellwether.policy.version.VersionId;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
import io.bellwether.serving.request.JsonBody;
import io.bellwether.serving.request.JsonFields;
import io.bellwether.serving.request.Limits;
import io.bellwether.serving.surface.DeclaredSurface;
import io.bellwether.serving.surface.Surfaces;
import io.smallrye.common.annotation.Blocking;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** {@code /v1/policies}: which versions there are, which one answers, and moving the aliases. */
@Path("/v1/policies")
@Produces(MediaType.APPLICATION_JSON)
@Blocking
public final class PolicyResource {

  private static final Set<String> MOVE_FIELDS = Set.of("alias", "expected", "reason", "override");
  private static final String BY_API = "api";

  private final PolicyStore store;
  private final Surfaces surfaces;
  private final Versions versions;
  private final PolicyLoader loader;

  PolicyResource(PolicyStore store, Surfaces surfaces, Versions versions, PolicyLoader loader) {
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
   * @param open what is known of the version that answers; absent while there is none
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record PolicyView(
      String name,
      Map<String, String> aliases,
      @Nullable String serving,
      @Nullable String refused,
      @Nullable OpenVersion open,
      int versions) {}

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

  /** Moves an alias to a version, if it points where the caller thinks. */
  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  @Path("{name}/versions/{version}:promote")
  public MoveView promote(
      @PathParam("name") String name, @PathParam("version") String version, byte[] body) {
    requireKnown(name);
    MoveRequest request = moveRequest(name, version, body);
    try {
      AliasMove move = store.move(request);
      loader.wake();
      return MoveView.of(move);
    } catch (AliasConflictException e) {
      throw ProblemException.of(Slug.STATE_CONFLICT, String.valueOf(e.getMessage()));
    } catch (PromotionRefusedException e) {
      throw ProblemException.of(Slug.EVALUATION_NOT_PASSED, String.valueOf(e.getMessage()));
    } catch (UnknownVersionException e) {
      throw ProblemException.of(Slug.NOT_FOUND, String.valueOf(e.getMessage()));
    } catch (IllegalArgumentException e) {
      throw ProblemException.of(Slug.STATE_CONFLICT, String.valueOf(e.getMessage()));
    }
  }

  private static MoveRequest moveRequest(String name, String version, byte[] body) {
    JsonFields fields =
        JsonFields.ofRequest(JsonBody.parse(body, Limits.STANDARD.bodyBytes())).only(MOVE_FIELDS);
    String word = fields.requiredText("alias");
    Optional<Alias> alias = alias(word);
    if (alias.isEmpty()) {
      fields.refuse("alias", "is '" + word + "', must be champion, challenger or shadow");
    }
    Optional<String> expected = fields.text("expected");
    if (expected.isPresent() && versionId(expected.get()).isEmpty()) {
      fields.refuse("expected", "is '" + expected.get() + "', must be a version, or null for none");
    }
    String reason = fields.requiredText("reason");
    Optional<String> override = fields.text("override");
    if (fields.has("reason") && reason.isBlank()) {
      fields.refuse("reason", "is blank, must say why");
    }
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
        BY_API,
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
    Map<String, String> aliases = new LinkedHashMap<>();
    for (Alias alias : Alias.values()) {
      store.alias(name, alias).ifPresent(version -> aliases.put(alias.word(), version.value()));
    }
    Optional<DeclaredSurface> surface = surfaces.find(name);
    return new PolicyView(
        name,
        aliases,
        surface.map(s -> versions.champion(s).orElse("uniform")).orElse(null),
        surface.flatMap(loader::refusal).orElse(null),
        surface.flatMap(loader::open).orElse(null),
        store.names().contains(name) ? store.versions(name).size() : 0);
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
