package io.bellwether.loadtest.experiment;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Measures whether experiments can be trusted: simulated ones whose truth is known, read by the
 * code that reads live ones, and policies planted in a running service. Uses all cores. Immutable.
 *
 * @param extent how much is measured
 * @param seed of everything simulated; what people meet in a running service depends on its timing
 */
public record ExperimentBenchmark(BenchmarkExtent extent, long seed) {
  private static final int UNITS_PER_MINUTE = 20;
  private static final double EFFECT = 0.2;

  /** Of every hundred units two more get the treatment than were asked for. */
  private static final double MISMATCH = 0.52;

  private static final int COVARIATE_UNITS = 500;
  private static final int PEOPLE = 400;

  /**
   * Measures everything.
   *
   * @param systems starts a fresh system for each round
   * @param progress takes a line now and then
   */
  public ExperimentResult run(
      SystemUnderTest.Starter systems, Clock clock, Consumer<String> progress) throws Exception {
    long start = System.nanoTime();
    progress.accept(
        "Drawing %d experiments without an effect, looked at %d times each"
            .formatted(extent.experiments(), extent.minutes()));
    SimulatedStudy.Outcome same = study(0, 0.5, seed).run();
    progress.accept("Drawing as many with an effect, and as many with an uneven split");
    SimulatedStudy.Outcome different = study(EFFECT, 0.5, seed + 1).run();
    SimulatedStudy.Outcome uneven = study(0, MISMATCH, seed + 2).run();
    CovariateStudy.Outcome covariate =
        new CovariateStudy(extent.experiments(), COVARIATE_UNITS, seed + 3).run();
    PreferenceStudy.Outcome preference =
        new PreferenceStudy(extent.experiments(), PEOPLE, seed + 4).run();
    List<LiveResult> live = new ArrayList<>();
    for (int round = 1; round <= extent.rounds(); round++) {
      progress.accept("Round %d of %d with planted policies".formatted(round, extent.rounds()));
      live.add(systems.with(round, roundOf(round, clock, progress)));
    }
    return new ExperimentResult(
        extent,
        seed,
        same,
        different,
        uneven,
        covariate,
        preference,
        live,
        (System.nanoTime() - start) / 1e9);
  }

  private SystemUnderTest.Use roundOf(int round, Clock clock, Consumer<String> progress) {
    LivePlan plan = new LivePlan(extent.live());
    return system ->
        new LiveRollouts(
                system.url(), system.surface(), system.store(), plan, "r" + round, clock, progress)
            .run();
  }

  private SimulatedStudy study(double effect, double treatmentShare, long studySeed) {
    return new SimulatedStudy(
        extent.experiments(),
        extent.minutes(),
        UNITS_PER_MINUTE,
        effect,
        treatmentShare,
        studySeed);
  }
}
