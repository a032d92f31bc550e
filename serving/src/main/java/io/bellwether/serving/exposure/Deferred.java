package io.bellwether.serving.exposure;

import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Exposure;
import io.bellwether.ingestion.event.UndecodableEventException;
import io.bellwether.serving.ServingConfig;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
import io.bellwether.serving.redis.RedisLink;
import io.bellwether.serving.work.Workers;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Decisions that were made before anybody knew whether they would be shown, kept in Redis until
 * they are activated. Nobody is exposed before that. A decision can be activated until its longest
 * signal window ends, and no longer than {@code bellwether.activation-window}; how often does not
 * matter, since an exposure deduplicates by its id. Thread-safe.
 */
@Singleton
public final class Deferred {

  /** For so long after the end a caller is told that it is too late, and not that it is unknown. */
  private static final Duration REMEMBERED_AFTER = Duration.ofMinutes(10);

  private static final int RETRY_AFTER_SECONDS = 1;

  private final RedisLink redis;
  private final ExposureLog log;
  private final Workers workers;
  private final Clock clock;
  private final Duration window;
  private final Counter missed;

  Deferred(
      RedisLink redis,
      ExposureLog log,
      Workers workers,
      Clock clock,
      ServingConfig config,
      MeterRegistry registry) {
    this.redis = redis;
    this.log = log;
    this.workers = workers;
    this.clock = clock;
    this.window = config.activationWindow();
    missed =
        Counter.builder("bellwether.activations.missed")
            .description("Outcomes of which nobody could tell whether they activate a decision")
            .register(registry);
  }

  /**
   * Keeps a decision until it is activated; fails as {@code unavailable} while Redis is away.
   *
   * @param exposures what its activation says; none where the decision is in no experiment
   */
  public CompletionStage<Void> keep(Decision decision, List<Exposure> exposures) {
    long until =
        Math.min(decision.getOutcomesUntilMicros(), decision.getDecidedAtMicros() + micros(window));
    Duration left = Duration.of(Math.max(0, until - nowMicros()), ChronoUnit.MICROS);
    return redis
        .writeOnce(
            key(decision.getDecisionId()), value(until, exposures), left.plus(REMEMBERED_AFTER))
        .handle(
            (written, failure) -> {
              if (failure != null) {
                throw away("The decision could not be kept for its activation");
              }
              return null;
            });
  }

  private byte[] value(long until, List<Exposure> exposures) {
    ByteBuffer head = ByteBuffer.allocate(Long.BYTES).putLong(until);
    return Frames.join(head.array(), exposures.stream().map(log::encode).toArray(byte[][]::new));
  }

  private static long micros(Duration duration) {
    return duration.dividedBy(ChronoUnit.MICROS.getDuration());
  }

  /**
   * Exposes whom a decision was for; completes when that is logged.
   *
   * <p>Fails as {@code not-found}, {@code activation-window-closed}, or {@code unavailable}.
   */
  public CompletionStage<Void> activate(String decisionId) {
    return workers.admit(() -> lookUpAndActivate(decisionId));
  }

  private CompletionStage<Void> lookUpAndActivate(String decisionId) {
    String key = key(decisionId);
    return redis
        .read(List.of(key))
        .handle(
            (values, failure) -> {
              if (failure != null) {
                throw away("The decision could not be looked up");
              }
              return values.get(key);
            })
        .thenComposeAsync(value -> activate(decisionId, value), workers);
  }

  private CompletionStage<Void> activate(String decisionId, byte @Nullable [] value) {
    if (value == null) {
      throw ProblemException.of(
          Slug.NOT_FOUND,
          "No decision '" + decisionId + "' waits for its activation, or it is long over.");
    }
    long until = until(value);
    if (nowMicros() > until) {
      throw ProblemException.of(
          Slug.ACTIVATION_WINDOW_CLOSED,
          "Decision '%s' could be activated until %s."
              .formatted(decisionId, Instant.EPOCH.plus(until, ChronoUnit.MICROS)));
    }
    return expose(value);
  }

  /**
   * Activates those of these decisions that wait for it, since something is known to have come of
   * them. While Redis is away nobody can tell which these are; that is counted, and the outcomes
   * are good all the same.
   */
  public CompletionStage<Void> observed(Collection<String> decisionIds) {
    Set<String> keys = new LinkedHashSet<>();
    decisionIds.forEach(id -> keys.add(key(id)));
    if (keys.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    return redis
        .read(List.copyOf(keys))
        .exceptionally(
            away -> {
              missed.increment(decisionIds.size());
              return Map.of();
            })
        .thenComposeAsync(
            waiting -> {
              List<CompletableFuture<Void>> sent = new ArrayList<>();
              for (byte[] value : waiting.values()) {
                if (nowMicros() <= until(value)) {
                  sent.add(expose(value));
                }
              }
              return CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new));
            },
            workers);
  }

  private CompletableFuture<Void> expose(byte[] value) {
    List<byte[]> frames = Frames.split(value);
    List<CompletableFuture<Exposure>> sent = new ArrayList<>();
    try {
      for (byte[] bytes : frames.subList(1, frames.size())) {
        Exposure exposure = log.decode(bytes);
        exposure.setExposedAtMicros(nowMicros());
        sent.add(log.write(exposure));
      }
    } catch (UndecodableEventException e) {
      throw new IllegalStateException("what Redis keeps of a deferred decision", e);
    }
    return CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new));
  }

  /** The first part of a value: end of the window, microseconds. The others are exposures. */
  private static long until(byte[] value) {
    return ByteBuffer.wrap(Frames.split(value).get(0)).getLong();
  }

  private long nowMicros() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant());
  }

  private static String key(String decisionId) {
    return "bellwether:deferred:" + decisionId;
  }

  private static ProblemException away(String what) {
    return ProblemException.retryAfter(
        Slug.UNAVAILABLE,
        RETRY_AFTER_SECONDS,
        what + ", since Redis is away; send the same request again.");
  }
}
