package io.bellwether.serving.decision;

import io.bellwether.ingestion.erasure.ErasedSubjects;
import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.UndecodableEventException;
import io.bellwether.ingestion.feature.Floats;
import io.bellwether.policy.scoring.ScoredBatch;
import io.bellwether.policy.scoring.ScoringBatch;
import io.bellwether.policy.scoring.ScoringException;
import io.bellwether.serving.explain.Explanation;
import io.bellwether.serving.explain.RecordFinder;
import io.bellwether.serving.log.EventIds;
import io.bellwether.serving.policy.Versions;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
import io.bellwether.serving.redis.RedisLink;
import io.bellwether.serving.request.JsonFields;
import io.bellwether.serving.subject.Forgotten;
import io.bellwether.serving.surface.DeclaredSurface;
import io.bellwether.serving.surface.Surfaces;
import io.bellwether.serving.work.Workers;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Explains a decision from its record: what Redis keeps for retries, or else what Kafka holds. The
 * values of the candidates are computed again from the logged features, by the version that
 * decided. Thread-safe.
 */
@Singleton
final class DecisionExplainer {

  private static final Instant LAST = Instant.parse("9999-12-31T00:00:00Z");

  private final RedisLink redis;
  private final AnswerLog log;
  private final RecordFinder finder;
  private final Surfaces surfaces;
  private final Versions versions;
  private final Workers workers;

  /** Whose decisions the log still holds, and nobody is to see. */
  private final ErasedSubjects erased = new ErasedSubjects();

  /** The values of each candidate in order, and how they came about. */
  private record Values(List<Map<String, Float>> ofCandidates, String from) {

    static Values none(String why) {
      return new Values(List.of(), why);
    }
  }

  DecisionExplainer(
      RedisLink redis,
      AnswerLog log,
      RecordFinder finder,
      Surfaces surfaces,
      Versions versions,
      Workers workers) {
    this.redis = redis;
    this.log = log;
    this.finder = finder;
    this.surfaces = surfaces;
    this.versions = versions;
    this.workers = workers;
  }

  /** Explains nothing any more that was decided for a subject that is erased. */
  void forget(@Observes Forgotten forgotten) {
    erased.add(forgotten.erasure());
  }

  private boolean isErased(Decision decision) {
    return erased.covers(decision.getSubjectId(), decision.getDecidedAtMicros());
  }

  /**
   * Explains the decision of an id.
   *
   * @param decidedAt about when it was made, RFC 3339; needed where the id does not tell and Redis
   *     keeps it no longer
   */
  CompletionStage<Explanation> explain(String id, @Nullable String decidedAt) {
    if (!JsonFields.isResourceId(id)) {
      throw ProblemException.of(
          Slug.INVALID_REQUEST, "A decision's id has " + JsonFields.RESOURCE_ID_WORDS + ".");
    }
    Optional<Instant> about =
        decidedAt == null ? EventIds.timeOf(id) : Optional.of(time(decidedAt));
    return kept(id)
        .thenCompose(
            kept ->
                kept.isPresent() || about.isEmpty()
                    ? CompletableFuture.completedFuture(kept)
                    : finder.decision(id, about.get()))
        .thenCompose(
            found ->
                explain(
                    found
                        .filter(decision -> !isErased(decision))
                        .orElseThrow(() -> notFound(id, about))));
  }

  /** A time of this era: with others there is no reckoning in milliseconds. */
  static Instant time(String text) {
    try {
      Instant time = Instant.parse(text);
      if (!time.isBefore(Instant.EPOCH) && time.isBefore(LAST)) {
        return time;
      }
    } catch (DateTimeException e) {
      // Told below.
    }
    throw ProblemException.of(
        Slug.INVALID_REQUEST,
        "decidedAt is no time such as 2026-11-30T12:00:00Z in the years 1970 to 9999.");
  }

  private static ProblemException notFound(String id, Optional<Instant> about) {
    return ProblemException.of(
        Slug.NOT_FOUND,
        about.isPresent()
            ? "The log holds no decision '%s' of about %s.".formatted(id, about.get())
            : "Decision '%s' is not kept for retries any more, and its id does not tell when it was made; add ?decidedAt=TIME (./bellwether explain: --decided-at TIME)."
                .formatted(id));
  }

  private CompletionStage<Optional<Decision>> kept(String id) {
    String key = DecisionRequest.decisionKey(id);
    return redis
        .read(List.of(key))
        .handle(
            (values, away) -> {
              byte[] bytes = away == null ? values.get(key) : null;
              return bytes == null ? Optional.empty() : Optional.of(decoded(key, bytes));
            });
  }

  private Decision decoded(String key, byte[] bytes) {
    try {
      return log.decode(bytes).decision();
    } catch (UndecodableEventException e) {
      throw new IllegalStateException("what Redis keeps under " + key, e);
    }
  }

  private CompletionStage<Explanation> explain(Decision decision) {
    Instant since = Instant.EPOCH.plus(decision.getDecidedAtMicros(), ChronoUnit.MICROS);
    return finder
        .outcomes(decision.getDecisionId(), since)
        .thenApplyAsync(
            outcomes -> {
              Values values = values(decision);
              return Explanation.of(
                  decision,
                  DecisionAnswer.explored(decision),
                  values.ofCandidates(),
                  values.from(),
                  outcomes);
            },
            workers);
  }

  private Values values(Decision decision) {
    Optional<DeclaredSurface> surface = surfaces.find(decision.getSurface());
    Optional<Versions.Held> held =
        surface.flatMap(declared -> versions.acquire(declared, decision.getPolicyVersion()));
    if (held.isEmpty()) {
      return Values.none("no graph of " + decision.getPolicyVersion() + " is loaded");
    }
    try (Versions.Held version = held.get()) {
      if (version.scorer().schema().signals().isEmpty()) {
        return Values.none(version.version() + " predicts no signal");
      }
      ScoringBatch batch = new ScoringBatch(version.scorer().schema());
      batch.add(
          Floats.of(decision.getContext()),
          Floats.of(decision.getHistory()),
          Floats.of(decision.getItems()));
      ScoredBatch scored = version.scorer().score(batch);
      return new Values(
          values(version.scorer().schema().signals(), scored, decision.getCandidateIds().size()),
          "computed again by " + version.version());
    } catch (ScoringException | IllegalArgumentException e) {
      return Values.none("not computed: " + e.getMessage());
    }
  }

  private static List<Map<String, Float>> values(
      List<String> signals, ScoredBatch scored, int candidates) {
    List<Map<String, Float>> values = new ArrayList<>(candidates);
    for (int candidate = 0; candidate < candidates; candidate++) {
      Map<String, Float> ofCandidate = new LinkedHashMap<>();
      for (int signal = 0; signal < signals.size(); signal++) {
        ofCandidate.put(signals.get(signal), scored.value(candidate, signal));
      }
      values.add(ofCandidate);
    }
    return values;
  }
}
