package io.bellwether.infra.demo;

import io.bellwether.loadtest.load.SimulatedProduct;
import io.bellwether.loadtest.load.TrafficPlan;
import io.bellwether.loadtest.load.TrafficReport;
import io.bellwether.loadtest.load.UndeliveredException;
import io.bellwether.loadtest.people.ShortVideoWorld;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The simulated people of one demo: each stretch goes on where the one before it ended. */
final class Traffic {

  private static final Duration BETWEEN_LINES = Duration.ofSeconds(15);

  private final ShortVideoWorld world;
  private final URI url;
  private final DemoMemory memory;
  private final Clock clock;
  private final Consumer<String> progress;
  private long nextSession;
  private long decisions;
  private long outcomes;
  private @Nullable Instant firstDecision;
  private volatile @Nullable SimulatedProduct running;
  private volatile boolean stopped;

  Traffic(
      ShortVideoWorld world, URI url, DemoMemory memory, Clock clock, Consumer<String> progress) {
    this.world = world;
    this.url = url;
    this.memory = memory;
    this.clock = clock;
    this.progress = progress;
    this.nextSession = memory.nextSession();
  }

  /** Answers one person, so that somebody who waits sees that it works. */
  void first() throws InterruptedException, UndeliveredException {
    run(TrafficPlan.of(url, memory.name(), nextSession, 1).withConcurrency(1), now -> false);
    firstDecision = clock.instant();
  }

  /**
   * Sends people for a while; returns when the last has left and every outcome is accepted.
   *
   * @param time how long; twice as long where fewer than {@code fewest} have come by then
   * @param fewest people who should come, on a machine that is slow
   * @param most people who come, on a machine that is fast
   */
  TrafficReport send(Duration time, long fewest, long most)
      throws InterruptedException, UndeliveredException {
    return run(
        TrafficPlan.of(url, memory.name(), nextSession, most).withStopAfter(time.multipliedBy(2)),
        now -> now.elapsed().compareTo(time) >= 0 && now.sessions() >= fewest);
  }

  /** Sends no more people; from any thread. */
  void stop() {
    stopped = true;
    SimulatedProduct product = running;
    if (product != null) {
      product.stop();
    }
  }

  private TrafficReport run(TrafficPlan plan, Predicate<TrafficReport> enough)
      throws InterruptedException, UndeliveredException {
    SimulatedProduct product = new SimulatedProduct(world, plan, clock);
    running = product;
    if (stopped) {
      product.stop();
    }
    Instant[] nextLine = {clock.instant().plus(BETWEEN_LINES)};
    TrafficReport report =
        product.run(
            now -> {
              if (enough.test(now)) {
                product.stop();
              }
              if (clock.instant().isAfter(nextLine[0])) {
                nextLine[0] = clock.instant().plus(BETWEEN_LINES);
                progress.accept(words(now));
              }
            });
    nextSession += report.sessions();
    decisions += report.decisions();
    outcomes += report.outcomes();
    return report;
  }

  private static String words(TrafficReport report) {
    return String.format(
        Locale.ROOT,
        "  %d people, %d decisions (%.0f/s, p50 %.1f ms, p99 %.1f ms), %d outcomes",
        report.sessions(),
        report.decisions(),
        report.decisions() / (report.elapsed().toMillis() / 1e3),
        report.decisionLatency().p50Millis(),
        report.decisionLatency().p99Millis(),
        report.outcomes());
  }

  /** Decisions answered in all stretches. */
  long decisions() {
    return decisions;
  }

  /** Outcomes accepted in all stretches. */
  long outcomes() {
    return outcomes;
  }

  /** Seconds from {@code start} to the first answer. */
  OptionalDouble secondsToFirst(Instant start) {
    Instant first = firstDecision;
    return first == null
        ? OptionalDouble.empty()
        : OptionalDouble.of(Duration.between(start, first).toMillis() / 1e3);
  }
}
