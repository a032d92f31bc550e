package io.bellwether.serving.decision;

import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.UndecodableEventException;
import io.bellwether.serving.ServingConfig;
import io.bellwether.serving.policy.Champions;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
import io.bellwether.serving.redis.RedisLink;
import io.bellwether.serving.work.Workers;
import io.micrometer.core.instrument.Timer;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Walks a request from its bytes to a logged decision: read, recall what Redis has, decide, keep
 * for retries, log. Computation runs on the workers; nothing blocks the event loop, and every wait
 * has a bound. An answer exists only after Kafka has acknowledged the decision. Thread-safe.
 */
@Singleton
final class DecisionService {

  private final Preparation preparation;
  private final DecisionRequestReader reader;
  private final RedisLink redis;
  private final DecisionLog log;
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
      DecisionLog log,
      DecisionMeters meters,
      Workers workers,
      Champions champions,
      Clock clock,
      ServingConfig config) {
    this.preparation = preparation;
    this.reader = reader;
    this.redis = redis;
    this.log = log;
    this.meters = meters;
    this.workers = workers;
    this.keepFor = config.idempotencyTtl();
    this.makers = ThreadLocal.withInitial(() -> new DecisionMaker(champions, clock));
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
    Decision decision = makers.get().decide(request, recalled);
    if (request.dryRun()) {
      return CompletableFuture.completedFuture(new Decided(decision, Decided.Kind.DRY_RUN));
    }
    byte[] bytes = log.encode(decision);
    if (!request.kept() || !recalled.available()) {
      return write(decision, bytes);
    }
    return redis
        .writeOnce(request.decisionKey(), bytes, keepFor)
        .exceptionally(away -> true)
        .thenComposeAsync(
            first -> first ? write(decision, bytes) : replayOfAnother(request), workers);
  }

  private CompletionStage<Decided> write(Decision decision, byte[] bytes) {
    return log.write(decision, bytes).thenApply(d -> new Decided(d, Decided.Kind.MADE));
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
    Decision decision = decoded(request, bytes);
    if (!request.digest().equals(decision.getRequestDigest())) {
      return CompletableFuture.failedFuture(
          ProblemException.of(
              Slug.IDEMPOTENCY_KEY_REUSED,
              "Id '%s' was used for a request with another body; choose another id."
                  .formatted(request.decisionId())));
    }
    return log.write(decision, bytes).thenApply(d -> new Decided(d, Decided.Kind.REPLAYED));
  }

  private Decision decoded(DecisionRequest request, byte[] bytes) {
    try {
      return log.decode(bytes);
    } catch (UndecodableEventException e) {
      throw new IllegalStateException("what Redis keeps under " + request.decisionKey(), e);
    }
  }
}
