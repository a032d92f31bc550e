package io.bellwether.serving.decision;

import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Exposure;
import io.bellwether.ingestion.event.UndecodableEventException;
import io.bellwether.serving.ServingConfig;
import io.bellwether.serving.experiment.Assigned;
import io.bellwether.serving.experiment.Assignments;
import io.bellwether.serving.experiment.Experiments;
import io.bellwether.serving.experiment.Occasion;
import io.bellwether.serving.exposure.Exposures;
import io.bellwether.serving.exposure.ShadowScorer;
import io.bellwether.serving.policy.Versions;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
import io.bellwether.serving.redis.RedisLink;
import io.bellwether.serving.surface.DeclaredSurface;
import io.bellwether.serving.work.Workers;
import io.micrometer.core.instrument.Timer;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Walks a request from its bytes to a logged decision: read, recall what Redis has, assign, decide,
 * keep for retries, log. Computation runs on the workers; nothing blocks the event loop, and every
 * wait has a bound. An answer exists only after Kafka has acknowledged the decision and its
 * exposure. Thread-safe.
 */
@Singleton
final class DecisionService {

  private final Preparation preparation;
  private final DecisionRequestReader reader;
  private final RedisLink redis;
  private final AnswerLog log;
  private final Experiments experiments;
  private final Versions versions;
  private final ShadowScorer shadows;
  private final Clock clock;
  private final DecisionMeters meters;
  private final Workers workers;
  private final Duration keepFor;
  private final ThreadLocal<DecisionMaker> makers;
  private final InProgress inProgress = new InProgress();

  /**
   * A decision on its way to the caller.
   *
   * @param kind how it came about
   */
  record Decided(Decision decision, Kind kind) {

    /** How a decision came about. */
    enum Kind {
      MADE,
      REPLAYED,
      DRY_RUN
    }
  }

  DecisionService(
      Preparation preparation,
      DecisionRequestReader reader,
      RedisLink redis,
      AnswerLog log,
      Experiments experiments,
      Versions versions,
      ShadowScorer shadows,
      DecisionMeters meters,
      Workers workers,
      Clock clock,
      ServingConfig config) {
    this.preparation = preparation;
    this.reader = reader;
    this.redis = redis;
    this.log = log;
    this.experiments = experiments;
    this.versions = versions;
    this.shadows = shadows;
    this.clock = clock;
    this.meters = meters;
    this.workers = workers;
    this.keepFor = config.idempotencyTtl();
    this.makers = ThreadLocal.withInitial(() -> new DecisionMaker(versions));
  }

  /**
   * Decides for a body; fails with a refusal where there is nothing to answer.
   *
   * @param key the decision's id where the body has none
   */
  CompletionStage<Decided> decide(@Nullable String key, byte[] body) {
    Timer.Sample started = meters.started();
    return workers
        .admit(
            () -> {
              preparation.require();
              return answer(reader.read(key, body));
            })
        .whenComplete(
            (decided, failure) ->
                meters.finished(started, decided == null ? null : decided.decision(), failure));
  }

  private CompletionStage<Decided> answer(DecisionRequest request) {
    return request.kept()
        ? inProgress.alone(request.decisionId(), () -> recallAndDecide(request))
        : recallAndDecide(request);
  }

  private CompletionStage<Decided> recallAndDecide(DecisionRequest request) {
    return recall(request)
        .thenComposeAsync(
            recalled ->
                recalled
                    .get(request.decisionKey())
                    .map(bytes -> replay(request, bytes))
                    .orElseGet(() -> make(request, recalled)),
            workers);
  }

  /** The one round trip: the subject's history, and the decision if it was made before. */
  private CompletionStage<Recalled> recall(DecisionRequest request) {
    List<String> keys = new ArrayList<>(2);
    if (request.wantsHistory()) {
      keys.add(request.historyKey());
    }
    if (request.kept()) {
      keys.add(request.decisionKey());
    }
    if (keys.isEmpty()) {
      return CompletableFuture.completedFuture(Recalled.NOTHING);
    }
    return redis
        .read(keys)
        .handle(
            (values, failure) -> {
              if (failure != null) {
                meters.redisUnavailable();
                return Recalled.UNAVAILABLE;
              }
              return new Recalled(true, values);
            });
  }

  private CompletionStage<Decided> make(DecisionRequest request, Recalled recalled) {
    long startedNanos = meters.nanos();
    Occasion occasion = occasion(request);
    Assignments assignments = experiments.assignments();
    Assigned assigned = assign(assignments, request.surface(), occasion);
    DecisionMaker.Made made = makers.get().decide(request, recalled, assigned, occasion.now());
    Decision decision = made.decision();
    if (request.dryRun()) {
      return CompletableFuture.completedFuture(new Decided(decision, Decided.Kind.DRY_RUN));
    }
    // Without the wait for a worker, for which no variant is to blame more than another.
    long micros = (meters.nanos() - startedNanos) / 1000;
    List<Exposure> exposures = new ArrayList<>(2);
    if (assigned instanceof Assigned.ToVariant variant) {
      exposures.add(Exposures.shown(decision, variant, micros, made.teams()));
      comparison(assignments, request.surface(), occasion, variant)
          .ifPresent(group -> exposures.add(Exposures.shown(decision, group, micros, List.of())));
    }
    Logged logged = log.of(decision, exposures);
    if (!request.kept() || !recalled.available()) {
      return write(request.surface(), occasion, logged);
    }
    return redis
        .writeOnce(request.decisionKey(), log.encode(logged), keepFor)
        .exceptionally(away -> true)
        .thenComposeAsync(
            first -> first ? write(request.surface(), occasion, logged) : replayOfAnother(request),
            workers);
  }

  private Occasion occasion(DecisionRequest request) {
    return new Occasion(
        request.anonymous() ? null : request.subjectId(),
        request.decisionId(),
        request.attributes(),
        clock.instant().truncatedTo(ChronoUnit.MICROS));
  }

  /**
   * The request's variant. Nobody is assigned to an experiment before all its versions were looked
   * for: until then one of its variants would be shown by the champion more often than the others.
   */
  private Assigned assign(Assignments assignments, DeclaredSurface surface, Occasion occasion) {
    Assigned assigned = assignments.assign(surface, occasion);
    if (assigned instanceof Assigned.ToVariant variant
        && !versions.settled(surface, variant.phase().versions().values())) {
      return new Assigned.None(Assigned.Reason.NOT_STARTED);
    }
    if (assigned instanceof Assigned.None none && none.reason() == Assigned.Reason.NO_UNIT) {
      meters.withoutUnit(surface);
    }
    return assigned;
  }

  /** The group that a subject of another experiment is in when a holdout is read. */
  private static Optional<Assigned.ToVariant> comparison(
      Assignments assignments,
      DeclaredSurface surface,
      Occasion occasion,
      Assigned.ToVariant assigned) {
    return assigned.forced()
        ? Optional.empty()
        : assignments
            .comparison(surface, occasion)
            .filter(group -> !group.state().name().equals(assigned.state().name()));
  }

  private CompletionStage<Decided> write(
      DeclaredSurface surface, Occasion occasion, Logged logged) {
    return log.write(logged)
        .thenApply(
            decision -> {
              shadows.offer(surface, occasion, decision);
              return new Decided(decision, Decided.Kind.MADE);
            });
  }

  /** Another replica has just decided under the same id. */
  private CompletionStage<Decided> replayOfAnother(DecisionRequest request) {
    return redis
        .read(List.of(request.decisionKey()))
        .thenComposeAsync(
            values -> {
              byte[] bytes = values.get(request.decisionKey());
              if (bytes == null) {
                throw ProblemException.retryAfter(
                    Slug.REQUEST_IN_PROGRESS, 1, "The decision was made elsewhere; ask again.");
              }
              return replay(request, bytes);
            },
            workers);
  }

  /** Sends the very same bytes again (whoever reads them drops the second copy) and answers. */
  private CompletionStage<Decided> replay(DecisionRequest request, byte[] bytes) {
    Logged logged = decoded(request, bytes);
    if (!request.digest().equals(logged.decision().getRequestDigest())) {
      return CompletableFuture.failedFuture(
          ProblemException.of(
              Slug.IDEMPOTENCY_KEY_REUSED,
              "Id '%s' was used for a request with another body; choose another id."
                  .formatted(request.decisionId())));
    }
    return log.write(logged).thenApply(d -> new Decided(d, Decided.Kind.REPLAYED));
  }

  private Logged decoded(DecisionRequest request, byte[] bytes) {
    try {
      return log.decode(bytes);
    } catch (UndecodableEventException e) {
      throw new IllegalStateException("what Redis keeps under " + request.decisionKey(), e);
    }
  }
}
