package io.bellwether.serving.rollout;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** What is counted about rollouts. Thread-safe. */
@Singleton
final class RolloutMeters {

  private static final double MILLIS = 1_000;

  private final MeterRegistry registry;
  private final Counter ticks;
  private final MultiGauge ages;
  private final AtomicInteger leads = new AtomicInteger();

  RolloutMeters(MeterRegistry registry) {
    this.registry = registry;
    ticks =
        Counter.builder("bellwether.rollout.ticks")
            .description("Times that all running experiments were looked at")
            .register(registry);
    ages =
        MultiGauge.builder("bellwether.experiment.numbers.age")
            .description("How old the numbers of a running experiment are")
            .baseUnit("seconds")
            .register(registry);
    Gauge.builder("bellwether.rollout.leader", leads, AtomicInteger::get)
        .description("1 where this replica moves rollouts, otherwise 0")
        .register(registry);
  }

  void ticked(boolean leader) {
    leads.set(leader ? 1 : 0);
    ticks.increment();
  }

  /** The ages of the numbers of all running experiments that have any. */
  void ages(Map<String, Duration> byExperiment) {
    ages.register(
        byExperiment.entrySet().stream()
            .map(
                each ->
                    MultiGauge.Row.of(
                        Tags.of("experiment", each.getKey()), each.getValue().toMillis() / MILLIS))
            .toList(),
        true);
  }

  void verdict(String kind) {
    count(
        "bellwether.rollout.verdicts", "What the leader concluded, per tick and experiment", kind);
  }

  void moved(String kind) {
    count("bellwether.rollout.moves", "Moves that the controller made", kind);
  }

  void failed(String kind) {
    count("bellwether.rollout.failures", "Experiments that could not be judged or moved", kind);
  }

  private void count(String name, String description, String kind) {
    Counter.builder(name).description(description).tag("kind", kind).register(registry).increment();
  }
}
