package io.bellwether.serving.decision;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.serving.item.Catalogue;
import io.bellwether.serving.log.EventIds;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
import io.bellwether.serving.pseudonym.Pseudonyms;
import io.bellwether.serving.request.JsonFields;
import io.bellwether.serving.request.Limits;
import io.bellwether.serving.rule.AskedRules;
import io.bellwether.serving.surface.DeclaredSurface;
import io.bellwether.serving.surface.Surfaces;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalLong;
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
          "rules",
          "baselineCandidateId",
          "activation");

  private static final int MOST_DEADLINE_MILLIS = 60_000;
  private static final String IMMEDIATE = "IMMEDIATE";
  private static final String DEFERRED = "DEFERRED";
  private static final Set<String> SUBJECT_FIELDS = Set.of("id", "attributes");
  private static final Set<String> OPTIONS =
      Set.of("topK", "dryRun", "deadlineMs", "explain", "seed");

  private final Surfaces surfaces;
  private final Catalogue catalogue;
  private final EventIds ids;
  private final Pseudonyms pseudonyms;
  private final ThreadLocal<CandidateReader> candidateReaders =
      ThreadLocal.withInitial(CandidateReader::new);

  DecisionRequestReader(Surfaces surfaces, Catalogue catalogue, EventIds ids) {
    this(surfaces, catalogue, ids, Pseudonyms.NONE);
  }

  @Inject
  DecisionRequestReader(
      Surfaces surfaces, Catalogue catalogue, EventIds ids, Pseudonyms pseudonyms) {
    this.surfaces = surfaces;
    this.catalogue = catalogue;
    this.ids = ids;
    this.pseudonyms = pseudonyms;
  }

  /**
   * Reads a body.
   *
   * @param key the decision's id where the body has none, bare or in double quotes
   * @throws ProblemException 400 or 413
   */
  DecisionRequest read(@Nullable String key, byte[] body) {
    CandidateReader candidateReader = candidateReaders.get();
    DecisionBody parsed = DecisionBody.parse(body, candidateReader.memory(), surfaces);
    JsonFields request =
        JsonFields.ofRequest(parsed.fields()).only(FIELDS).notYet("slots", "baselineCandidateId");
    DeclaredSurface surface = surface(request);
    Optional<String> chosenId = chosenId(key, request);
    String decisionId = chosenId.orElseGet(ids::next);
    Optional<String> subject = subject(request).map(pseudonyms::of);
    float[] context = context(parsed, request, surface);
    CandidateReader.Candidates candidates =
        candidateReader.read(parsed, request, surface, catalogue.items(surface), excluded(request));
    JsonFields options = request.object("options").only(OPTIONS).notYet("explain", "seed");
    int slateSize =
        options
            .integer("topK", 1, Limits.STANDARD.positions())
            .orElse(surface.surface().slateSize());
    Optional<Integer> budget = options.integer("deadlineMs", 1, MOST_DEADLINE_MILLIS);
    AskedRules rules = AskedRules.read(request, surface);
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
        parsed.sentContext(),
        candidates.wanted(),
        candidates.ids(),
        candidates.rows(),
        candidates.rawItems(),
        rules,
        slateSize,
        budget.isPresent() ? OptionalLong.of(budget.get()) : OptionalLong.empty(),
        dryRun,
        deferred,
        pseudonyms.digest(body));
  }

  private static float[] context(DecisionBody body, JsonFields request, DeclaredSurface surface) {
    float[] encoded = body.context();
    if (encoded != null) {
      return encoded;
    }
    float[] context = new float[surface.layout().contextWidth()];
    surface.context().encode(request.get("context"), "#/context", context, 0, request.violations());
    return context;
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
    boolean quoted = key.length() > 1 && key.startsWith("\"") && key.endsWith("\"");
    String id = quoted ? key.substring(1, key.length() - 1) : key;
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
    if (list.isMissingNode()) {
      return Set.of();
    }
    Set<String> excluded = new HashSet<>();
    if (!list.isArray()) {
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
}
