package io.bellwether.serving.decision;

import io.bellwether.ingestion.event.Assignment;
import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Degraded;
import io.bellwether.ingestion.event.Placement;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.ProblemMapper;
import io.bellwether.serving.surface.DeclaredSurface;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheus.PrometheusMeterRegistry;
import io.prometheus.client.Histogram;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What is counted and timed about decisions. Labels never hold ids. Thread-safe. */
@Singleton
final class DecisionMeters {

  private static final String UNKNOWN = "unknown";
  private static final Duration[] BUCKETS = {
    Duration.ofMillis(1),
    Duration.ofMillis(2),
    Duration.ofMillis(5),
    Duration.ofMillis(10),
    Duration.ofMillis(25),
    Duration.ofMillis(50),
    Duration.ofMillis(100),
    Duration.ofMillis(250),
    Duration.ofMillis(500),
    Duration.ofSeconds(1)
  };

  private final MeterRegistry registry;
  private final Timer duration;
  private final Histogram propensity;
  private final Counter withoutRedis;

  @SuppressWarnings("deprecation") // Quarkus brings this generation of the registry
  DecisionMeters(PrometheusMeterRegistry registry) {
    this.registry = registry;
    duration =
        Timer.builder("bellwether.decision.duration")
            .description("Time from the request's arrival to its answer")
            .serviceLevelObjectives(BUCKETS)
            .register(registry);
    // Prometheus' own: buckets of a Micrometer summary are whole numbers.
    propensity =
        Histogram.build("bellwether_propensity", "Chance of each placement given the earlier ones")
            .buckets(1e-4, 1e-3, 1e-2, 0.1, 0.5, 1)
            .register(registry.getPrometheusRegistry());
    withoutRedis =
        Counter.builder("bellwether.redis.unavailable")
            .description("Decisions for which Redis did not answer in time")
            .register(registry);
  }

  /** A time in nanoseconds, to be compared with another. */
  long nanos() {
    return registry.config().clock().monotonicTime();
  }

  /** Counts a decision that no experiment can randomise: for nobody, or for a shared id. */
  void withoutUnit(DeclaredSurface surface) {
    Counter.builder("bellwether.units.missing")
        .description("Decisions beside running experiments for nobody, or for an id of many")
        .tag("surface", surface.name())
        .register(registry)
        .increment();
  }

  Timer.Sample started() {
    return Timer.start(registry);
  }

  void redisUnavailable() {
    withoutRedis.increment();
  }

  /** Counts an answered or refused request. */
  void finished(Timer.Sample started, @Nullable Decision decision, @Nullable Throwable failure) {
    started.stop(duration);
    if (decision == null) {
      count(UNKNOWN, outcome(failure));
      return;
    }
    count(decision.getSurface(), decision.getDegraded() == null ? "ok" : "degraded");
    if (decision.getAssignment() != null) {
      countVariant(decision, decision.getAssignment());
    }
    if (DecisionAnswer.explored(decision)) {
      Counter.builder("bellwether.explored")
          .description("Answers whose slate is not the one with the highest scores")
          .tag("surface", decision.getSurface())
          .register(registry)
          .increment();
    }
    for (Placement placement : decision.getSlate()) {
      propensity.observe(placement.getPropensity());
    }
  }

  private void countVariant(Decision decision, Assignment assignment) {
    Degraded degraded = decision.getDegraded();
    Counter.builder("bellwether.experiment.decisions")
        .description("Answers that come from a variant of an experiment")
        .tag("surface", decision.getSurface())
        .tag("experiment", assignment.getExperiment())
        .tag("variant", assignment.getVariant())
        .tag("degraded", degraded == null ? "none" : degraded.getReason())
        .register(registry)
        .increment();
  }

  private static String outcome(@Nullable Throwable failure) {
    return failure != null
            && ProblemMapper.unwrapped(failure) instanceof ProblemException refusal
            && refusal.problem().status() < 500
        ? "rejected"
        : "failed";
  }

  private void count(String surface, String outcome) {
    Counter.builder("bellwether.decisions")
        .description("Requests for a decision")
        .tag("surface", surface)
        .tag("interface", "native")
        .tag("outcome", outcome)
        .register(registry)
        .increment();
  }
}
