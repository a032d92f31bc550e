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
import io.micrometer.prometheus.PrometheusMeterRegistry;
import io.prometheus.client.Histogram;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What is counted and timed about decisions. Labels never hold ids. Thread-safe. */
@Singleton
final class DecisionMeters {

  private static final String UNKNOWN = "unknown";
  private static final double[] SECONDS = {
    0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1
  };
  private static final double NANOS_PER_SECOND = 1e9;

  private final MeterRegistry registry;
  private final Histogram duration;
  private final Histogram propensity;
  private final Counter withoutRedis;

  /** By surface; registering a counter anew at each decision costs more than to count. */
  private final Map<String, OfSurface> surfaces = new ConcurrentHashMap<>();

  /** What is counted at every decision. */
  private record OfSurface(Counter ok, Counter degraded, Counter explored) {}

  @SuppressWarnings("deprecation") // Quarkus brings this generation of the registry
  DecisionMeters(PrometheusMeterRegistry registry) {
    this.registry = registry;
    // Prometheus' own, of which a bucket can name the trace that fell into it last.
    duration =
        Histogram.build(
                "bellwether_decision_duration_seconds",
                "Time from the request's arrival to its answer")
            .buckets(SECONDS)
            .register(registry.getPrometheusRegistry());
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

  /** Counts a decision that no experiment can randomise: for nobody, or for a shared id. */
  void withoutUnit(DeclaredSurface surface) {
    Counter.builder("bellwether.units.missing")
        .description("Decisions beside running experiments for nobody, or for an id of many")
        .tag("surface", surface.name())
        .register(registry)
        .increment();
  }

  void redisUnavailable() {
    withoutRedis.increment();
  }

  /**
   * Counts an answered or refused request.
   *
   * @param arrivedNanos when it came, {@link System#nanoTime}
   */
  void finished(long arrivedNanos, @Nullable Decision decision, @Nullable Throwable failure) {
    observe((System.nanoTime() - arrivedNanos) / NANOS_PER_SECOND, decision);
    if (decision == null) {
      decisions(UNKNOWN, outcome(failure)).increment();
      return;
    }
    OfSurface counters = surfaces.computeIfAbsent(decision.getSurface(), this::counters);
    (decision.getDegraded() == null ? counters.ok : counters.degraded).increment();
    if (decision.getAssignment() != null) {
      countVariant(decision, decision.getAssignment());
    }
    if (DecisionAnswer.explored(decision)) {
      counters.explored.increment();
    }
    for (Placement placement : decision.getSlate()) {
      propensity.observe(placement.getPropensity());
    }
  }

  private void observe(double seconds, @Nullable Decision decision) {
    String trace = decision == null ? null : decision.getTraceId();
    if (trace == null) {
      duration.observe(seconds);
    } else {
      duration.observeWithExemplar(seconds, "trace_id", trace);
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

  private OfSurface counters(String surface) {
    return new OfSurface(
        decisions(surface, "ok"),
        decisions(surface, "degraded"),
        Counter.builder("bellwether.explored")
            .description("Answers whose slate is not the one with the highest scores")
            .tag("surface", surface)
            .register(registry));
  }

  private Counter decisions(String surface, String outcome) {
    return Counter.builder("bellwether.decisions")
        .description("Requests for a decision")
        .tag("surface", surface)
        .tag("interface", "native")
        .tag("outcome", outcome)
        .register(registry);
  }
}
