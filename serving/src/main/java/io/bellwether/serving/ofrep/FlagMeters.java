package io.bellwether.serving.ofrep;

import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.ProblemMapper;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;

/** What is counted about flags, beside the decisions of other interfaces. Thread-safe. */
@Singleton
final class FlagMeters {

  private static final String UNKNOWN = "unknown";

  private final MeterRegistry registry;

  FlagMeters(MeterRegistry registry) {
    this.registry = registry;
  }

  /** Counts a flag that got its value. */
  void answered(String surface, boolean degraded) {
    count(surface, degraded ? "degraded" : "ok");
  }

  /** Counts a flag, or a request, that did not. */
  void refused(Throwable failure) {
    boolean callers =
        ProblemMapper.unwrapped(failure) instanceof ProblemException refusal
            && refusal.problem().status() < 500;
    count(UNKNOWN, callers ? "rejected" : "failed");
  }

  private void count(String surface, String outcome) {
    Counter.builder("bellwether.decisions")
        .description("Requests for a decision")
        .tag("surface", surface)
        .tag("interface", "ofrep")
        .tag("outcome", outcome)
        .register(registry)
        .increment();
  }
}
