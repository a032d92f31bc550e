package io.bellwether.serving.decision;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.serving.item.Catalogue;
import io.bellwether.serving.log.EventIds;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
import io.bellwether.serving.request.JsonBody;
import io.bellwether.serving.request.JsonFields;
import io.bellwether.serving.request.Limits;
import io.bellwether.serving.surface.DeclaredSurface;
import io.bellwether.serving.surface.Surfaces;
import jakarta.inject.Singleton;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Turns a body into a {@link DecisionRequest}, or refuses it with everything that is wrong in it.
 * Features go from JSON straight into the arrays that are scored. Thread-safe.
 */
@Singleton
final class DecisionRequestReader {

  private static final Set<String> FIELDS =
      Set.of(
          "surface",
          "decisionId",
          "subject",
          "context",
          "candidates",
          "excludedCandidateIds",
          "options",
          "slots",
          "filter",
          "baselineCandidateId",
          "activation");

  private static final String IMMEDIATE = "IMMEDIATE";
  private static final String DEFERRED = "DEFERRED";
  private static final Set<String> SUBJECT_FIELDS = Set.of("id", "attributes");
  private static final Set<String> OPTIONS =
      Set.of("topK", "dryRun", "deadlineMs", "explain", "seed");

  private final Surfaces surfaces;
  private final Catalogue catalogue;
  private final EventIds ids;

  DecisionRequestReader(Surfaces surfaces, Catalogue catalogue, EventIds ids) {
    this.surfaces = surfaces;
    this.catalogue = catalogue;
    this.ids = ids;
  }

  /**
   * Reads a body.
   *
   * @param key the decision's id where the body has none, bare or in double quotes
   * @throws ProblemException 400 or 413
   */
  DecisionRequest read(@Nullable String key, byte[] body) {
    JsonFields request =
        JsonFields.ofRequest(JsonBody.parse(body, Limits.STANDARD.bodyBytes()))
            .only(FIELDS)
            .notYet("slots", "filter", "baselineCandidateId");
    DeclaredSurface surface = surface(request);
    Optional<String> chosenId = chosenId(key, request);
    String decisionId = chosenId.orElseGet(ids::next);
    Optional<String> subject = subject(request);
    float[] context = new float[surface.layout().contextWidth()];
    JsonNode rawContext = request.get("context");
    surface.context().encode(rawContext, "#/context", context, 0, request.violations());
    CandidateReader.Candidates candidates =
        new CandidateReader(surface, catalogue.items(surface), excluded(request)).read(request);
    JsonFields options =
        request.object("options").only(OPTIONS).notYet("deadlineMs", "explain", "seed");
    int slateSize =
        options
            .integer("topK", 1, Limits.STANDARD.positions())
            .orElse(surface.surface().slateSize());
    boolean dryRun = options.flag("dryRun");
    boolean deferred = deferred(request);
    request.check();
    return new DecisionRequest(
        surface,
        decisionId,
        chosenId.isPresent(),
        subject.orElse(decisionId),
        subject.isEmpty(),
        context,
        rawContext.isObject() ? JsonBody.write(rawContext) : "{}",
        rawContext,
        candidates.ids(),
        candidates.items(),
        candidates.rawItems(),
        Math.min(slateSize, candidates.ids().size()),
        dryRun,
        deferred,
        sha256(body));
  }

  /** The surface, without which nothing else can be checked. */
  private DeclaredSurface surface(JsonFields request) {
    String name = request.requiredText("surface");
    Optional<DeclaredSurface> surface = surfaces.find(name);
    if (surface.isEmpty() && !name.isEmpty()) {
      request.refuse(
          "surface", "is " + JsonFields.found(request.get("surface")) + "; " + surfaces.known());
    } else if (surface.isEmpty() && request.violations().isEmpty()) {
      request.refuse("surface", "is blank; " + surfaces.known());
    }
    return surface.orElseGet(
        () -> {
          request.check();
          throw new IllegalStateException("a request without a surface was not refused");
        });
  }

  private static Optional<String> chosenId(@Nullable String key, JsonFields request) {
    if (key == null || request.has("decisionId")) {
      return request.resourceId("decisionId");
    }
    String id = key.matches("\".*\"") ? key.substring(1, key.length() - 1) : key;
    if (!JsonFields.isResourceId(id)) {
      throw ProblemException.of(
          Slug.INVALID_REQUEST,
          "The header Idempotency-Key must be " + JsonFields.RESOURCE_ID_WORDS + ".");
    }
    return Optional.of(id);
  }

  private static Optional<String> subject(JsonFields request) {
    if (!request.has("subject")) {
      return Optional.empty();
    }
    JsonFields subject = request.object("subject").only(SUBJECT_FIELDS);
    subject.object("attributes");
    return Optional.of(subject.requiredForeignId("id"));
  }

  private static boolean deferred(JsonFields request) {
    String word = request.text("activation").orElse(IMMEDIATE);
    if (!word.equals(IMMEDIATE) && !word.equals(DEFERRED)) {
      request.refuse("activation", "is '" + word + "', must be IMMEDIATE or DEFERRED");
    }
    return word.equals(DEFERRED);
  }

  private static Set<String> excluded(JsonFields request) {
    JsonNode list = request.get("excludedCandidateIds");
    Set<String> excluded = new HashSet<>();
    if (!list.isMissingNode() && !list.isArray()) {
      request.refuse(
          "excludedCandidateIds", "is " + JsonFields.found(list) + ", must be an array of texts");
      return excluded;
    }
    for (int i = 0; i < list.size(); i++) {
      if (list.get(i).isTextual()) {
        excluded.add(list.get(i).textValue());
      } else {
        request.refuse(
            "excludedCandidateIds/" + i,
            "is " + JsonFields.found(list.get(i)) + ", must be a text");
      }
    }
    return excluded;
  }

  private static String sha256(byte[] body) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
