package io.bellwether.evaluation.experiment;

import static io.bellwether.evaluation.experiment.Numbers.CONTROL;
import static io.bellwether.evaluation.experiment.Numbers.FRESH;
import static io.bellwether.evaluation.experiment.Numbers.TREATMENT;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Rollouts with a known truth, tick by tick; each signal of a unit is normal with deviation 1.
 *
 * <p>Of 1,000 rollouts without harm 1.1 % were taken back, of 400 with harm all, after a median of
 * 4,000 units; 1.5 % of 600 ramps concluded anything.
 */
class SimulatedRolloutTest {
  private static final double ALPHA = 0.05;
  private static final int TICKS = 100;
  private static final int UNITS_PER_TICK = 200;
  private static final List<String> SIGNALS = List.of("first", "second", "third");

  /** As in the reference: three guardrails, 20,000 units, a look after every 200. */
  private static final AnalysisPlan GUARDED =
      AnalysisPlan.of(CONTROL, Numbers.mean("first", Direction.UP))
          .withPrimary(List.of())
          .withGuardrails(SIGNALS.stream().map(SimulatedRolloutTest::noWorse).toList())
          .withPlannedUnits(5_000);

  private static final Situation ONE_STEP =
      new Situation(List.of(RolloutStep.of(5_000, Duration.ofDays(7), 10_000)), 0, false);

  private static Guardrail noWorse(String signal) {
    return Guardrail.within(Numbers.mean(signal, Direction.UP), new Margin.Absolute(0));
  }

  /** The sums that so many units of a variant add to its numbers. */
  private static Moments units(Random random, int units, double... means) {
    double[] sums = new double[means.length];
    double[] products = new double[means.length * (means.length + 1) / 2];
    double[] drawn = new double[means.length];
    for (int row = 0; row < means.length; row++) {
      drawn[row] = means[row] + random.nextGaussian() / Math.sqrt(units);
      sums[row] = units * drawn[row];
      for (int column = 0; column <= row; column++) {
        double within = row == column ? chiSquare(random, units - 1) : 0;
        products[row * (row + 1) / 2 + column] = units * drawn[row] * drawn[column] + within;
      }
    }
    return new Moments(SIGNALS.subList(0, means.length), units, sums, products);
  }

  /** Wilson and Hilferty's approximation, which is close for so many degrees of freedom. */
  private static double chiSquare(Random random, int degrees) {
    double ninth = 2.0 / (9 * degrees);
    double root = 1 - ninth + Math.sqrt(ninth) * random.nextGaussian();
    return degrees * root * root * root;
  }

  /** The tick at which the rollout takes itself back, or 0. */
  private static int takenBackAt(Random random, double harm) {
    Moments control = Moments.empty(SIGNALS);
    Moments treatment = Moments.empty(SIGNALS);
    TickMemory memory = TickMemory.START;
    for (int tick = 1; tick <= TICKS; tick++) {
      control = control.plus(units(random, UNITS_PER_TICK / 2, 0, 0, 0));
      treatment = treatment.plus(units(random, UNITS_PER_TICK / 2, 0, 0, -harm));
      PhaseSample phase =
          Numbers.phase(
              1,
              0.5,
              Duration.ofHours(tick),
              VariantSample.of(CONTROL, control),
              VariantSample.of(TREATMENT, treatment));
      ExperimentReading reading = Analysis.read(GUARDED, List.of(phase), FRESH, memory);
      Tick decided = RolloutRule.decide(ONE_STEP, reading, memory);
      if (decided.verdict() instanceof Verdict.RollBack) {
        return tick;
      }
      memory = decided.memory();
    }
    return 0;
  }

  @Test
  void hardlyAnyRolloutWithoutHarmIsTakenBack() {
    int experiments = 150;
    Random random = new Random(2026);
    int takenBack = 0;
    for (int experiment = 0; experiment < experiments; experiment++) {
      takenBack += takenBackAt(random, 0) > 0 ? 1 : 0;
    }
    assertTrue(takenBack <= ALPHA * experiments, takenBack + " of " + experiments);
  }

  @Test
  void harmOfATenthOfADeviationIsTakenBack() {
    int experiments = 100;
    Random random = new Random(909);
    List<Integer> ticks = new ArrayList<>();
    for (int experiment = 0; experiment < experiments; experiment++) {
      int tick = takenBackAt(random, 0.1);
      if (tick > 0) {
        ticks.add(tick);
      }
    }
    assertTrue(ticks.size() >= 0.99 * experiments, ticks.size() + " of " + experiments);
    int median = ticks.stream().sorted().toList().get(ticks.size() / 2) * UNITS_PER_TICK;
    assertTrue(median <= 5_000, "median " + median + " units; the reference needs 3,600");
  }

  /** Five phases, ten looks at each; what any look of any phase concludes is an error. */
  @Test
  void aRampOverFivePhasesKeepsTheErrorOfTheWhole() {
    int experiments = 60;
    Random random = new Random(31);
    int wrong = 0;
    for (int experiment = 0; experiment < experiments; experiment++) {
      wrong += rampConcludes(random) ? 1 : 0;
    }
    assertTrue(wrong <= ALPHA * experiments, wrong + " of " + experiments);
  }

  private static boolean rampConcludes(Random random) {
    double[] shares = {0.05, 0.1, 0.25, 0.4, 0.5};
    AnalysisPlan plan =
        AnalysisPlan.of(CONTROL, Numbers.mean("first", Direction.UP))
            .withPlannedUnits(2_000)
            .withPlannedPhases(shares.length);
    List<PhaseSample> phases = new ArrayList<>();
    TickMemory memory = TickMemory.START;
    for (int phase = 1; phase <= shares.length; phase++) {
      int treated = (int) (400 * shares[phase - 1]);
      double base = random.nextGaussian();
      Moments control = Moments.empty(SIGNALS.subList(0, 1));
      Moments treatment = control;
      phases.add(Numbers.phase(phase, shares[phase - 1], Duration.ZERO));
      for (int look = 1; look <= 10; look++) {
        control = control.plus(units(random, 400 - treated, base));
        treatment = treatment.plus(units(random, treated, base));
        phases.set(
            phase - 1,
            Numbers.phase(
                phase,
                shares[phase - 1],
                Duration.ofHours(look),
                VariantSample.of(CONTROL, control),
                VariantSample.of(TREATMENT, treatment)));
        ExperimentReading reading = Analysis.read(plan, phases, FRESH, memory);
        MetricReading present = reading.phases().get(phase - 1).metrics().get(0);
        if (present.status() == MetricReading.Status.BETTER
            || present.status() == MetricReading.Status.WORSE) {
          return true;
        }
        memory = memory.after(reading);
      }
    }
    return false;
  }
}
