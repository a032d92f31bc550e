package io.bellwether.evaluation.experiment;

import static io.bellwether.evaluation.experiment.Numbers.CONTROL;
import static io.bellwether.evaluation.experiment.Numbers.FRESH;
import static io.bellwether.evaluation.experiment.Numbers.TREATMENT;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.evaluation.experiment.MetricReading.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * What is estimated anew at every look, or weighted anew in every phase, under no effect: the error
 * stays below alpha whenever one looks.
 *
 * <p>Of 2,000 experiments each: slopes of two covariates 0.9 %, a cap 1.1 %, a relative limit 0.6
 * %, five phases together 0.5 %.
 */
class PeekingTest {
  private static final double ALPHA = 0.05;
  private static final int EXPERIMENTS = 60;
  private static final int LOOKS = 30;
  private static final int EACH = 50;
  private static final List<String> COLUMNS = List.of("spent", "pre:spent", "pre:seen");

  /** Units of one variant, look by look; most spend little and some a lot. */
  private static final class Arm {
    private final String name;
    private final UnitSums sums = new UnitSums(COLUMNS);
    private Distribution totals = Distribution.empty();

    Arm(String name) {
      this.name = name;
    }

    VariantSample more(Random random) {
      double[] values = new double[EACH];
      for (int unit = 0; unit < EACH; unit++) {
        double habit = Math.exp(random.nextGaussian());
        boolean seen = random.nextInt(3) > 0;
        values[unit] = habit * random.nextDouble() * 2;
        sums.add(values[unit], seen ? habit * random.nextDouble() * 2 : 0, seen ? 1 : 0);
      }
      totals = totals.plus(Distribution.of(values));
      return new VariantSample(
          name, sums.moments(), Map.of("spent", totals), Health.none(), 0, 0, new HashMap<>());
    }
  }

  private static boolean concludes(AnalysisPlan plan, Random random) {
    Arm control = new Arm(CONTROL);
    Arm treatment = new Arm(TREATMENT);
    TickMemory memory = TickMemory.START;
    for (int look = 1; look <= LOOKS; look++) {
      PhaseSample phase =
          Numbers.phase(1, 0.5, Duration.ofDays(1), control.more(random), treatment.more(random));
      ExperimentReading reading = Analysis.read(plan, List.of(phase), FRESH, memory);
      if (isDifferent(reading.allPhases())) {
        return true;
      }
      memory = memory.after(reading);
    }
    return false;
  }

  private static boolean isDifferent(List<MetricReading> rows) {
    return rows.stream()
        .anyMatch(row -> row.status() == Status.BETTER || row.status() == Status.WORSE);
  }

  private static void assertKeepsItsError(String what, AnalysisPlan plan, long seed) {
    Random random = new Random(seed);
    int wrong = 0;
    for (int experiment = 0; experiment < EXPERIMENTS; experiment++) {
      wrong += concludes(plan, random) ? 1 : 0;
    }
    assertTrue(wrong <= ALPHA * EXPERIMENTS, what + ": " + wrong + " of " + EXPERIMENTS);
  }

  private static AnalysisPlan plan(Measure measure) {
    return AnalysisPlan.of(CONTROL, new Metric("spent", measure, Direction.UP))
        .withPlannedUnits(2_000);
  }

  @Test
  void slopesOfCovariatesMayBeEstimatedAtEveryLook() {
    assertKeepsItsError("covariates", plan(new Measure.Mean("spent", true)), 5);
  }

  @Test
  void aCapMayBeEstimatedAtEveryLook() {
    assertKeepsItsError("cap", plan(new Measure.Winsorised("spent", 0.99)), 6);
  }

  /** A base rate that moves with the share would look like an effect if values were pooled. */
  @Test
  void allPhasesTogetherMayBeReadAtEveryLook() {
    double[] shares = {0.05, 0.1, 0.25, 0.4, 0.5};
    AnalysisPlan plan =
        AnalysisPlan.of(CONTROL, Numbers.CLICKS)
            .withPlannedUnits(4_000)
            .withPlannedPhases(shares.length);
    Random random = new Random(8);
    int wrong = 0;
    for (int experiment = 0; experiment < EXPERIMENTS; experiment++) {
      wrong += rampConcludes(plan, shares, random) ? 1 : 0;
    }
    assertTrue(wrong <= ALPHA * EXPERIMENTS, wrong + " of " + EXPERIMENTS);
  }

  private static boolean rampConcludes(AnalysisPlan plan, double[] shares, Random random) {
    List<PhaseSample> phases = new ArrayList<>();
    TickMemory memory = TickMemory.START;
    for (int phase = 1; phase <= shares.length; phase++) {
      double share = shares[phase - 1];
      phases.add(Numbers.phase(phase, share, Duration.ofDays(1)));
      double[] sums = new double[2];
      for (int look = 1; look <= 10; look++) {
        long treated = Math.round(400 * share);
        sums[0] += phase * (400 - treated) + Math.sqrt(400.0 - treated) * random.nextGaussian();
        sums[1] += phase * treated + Math.sqrt((double) treated) * random.nextGaussian();
        long control = look * (400 - treated);
        treated *= look;
        phases.set(
            phase - 1,
            Numbers.phase(
                phase,
                share,
                Duration.ofDays(1),
                Numbers.sample(CONTROL, control, Numbers.clicks(sums[0] / control)),
                Numbers.sample(TREATMENT, treated, Numbers.clicks(sums[1] / treated))));
        ExperimentReading reading = Analysis.read(plan, phases, FRESH, memory);
        if (isDifferent(reading.allPhases())) {
          return true;
        }
        memory = memory.after(reading);
      }
    }
    return false;
  }
}
