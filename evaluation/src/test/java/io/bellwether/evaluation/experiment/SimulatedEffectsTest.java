package io.bellwether.evaluation.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Experiments without an effect, simulated often: tests at 0.05 reject in 0.05 of them, within four
 * standard errors of the simulation, and what they replace does not.
 */
class SimulatedEffectsTest {
  private static final int EXPERIMENTS = 2_000;
  private static final double ALPHA = 0.05;
  private static final double TOLERANCE = 4 * Math.sqrt(ALPHA * (1 - ALPHA) / EXPERIMENTS);

  /** Units differ in their rate, so the sessions of one are alike. */
  @Test
  void aRatioHasTheErrorOfItsUnits() {
    Random random = new Random(5);
    Metric perSession =
        new Metric("rate", new Measure.Ratio("clicks", "sessions", false), Direction.UP);
    int rejected = 0;
    int rejectedBySession = 0;
    for (int experiment = 0; experiment < EXPERIMENTS; experiment++) {
      VariantSample control = visitors(random);
      VariantSample treatment = visitors(random);
      Effect effect = effect(perSession, control, treatment);
      rejected += effect.absolute().p() < ALPHA ? 1 : 0;
      double naive = Math.hypot(errorBySession(control), errorBySession(treatment));
      rejectedBySession += Math.abs(effect.difference()) > 1.96 * naive ? 1 : 0;
    }
    assertEquals(ALPHA, share(rejected), TOLERANCE);
    assertTrue(share(rejectedBySession) > 0.12);
  }

  @Test
  void aCovariateLeavesOneLessItsSquaredCorrelationOfTheVariance() {
    Random random = new Random(6);
    Metric plain = new Metric("plain", new Measure.Mean("y", false), Direction.UP);
    Metric adjusted = new Metric("adjusted", new Measure.Mean("y", true), Direction.UP);
    int rejected = 0;
    double left = 0;
    double sum = 0;
    double squares = 0;
    for (int experiment = 0; experiment < EXPERIMENTS; experiment++) {
      VariantSample control = correlated(random);
      VariantSample treatment = correlated(random);
      Effect effect = effect(adjusted, control, treatment);
      rejected += effect.absolute().p() < ALPHA ? 1 : 0;
      double whole = effect(plain, control, treatment).standardError();
      left += square(effect.standardError() / whole);
      sum += effect.difference();
      squares += square(effect.difference());
    }
    assertEquals(ALPHA, share(rejected), TOLERANCE);
    assertEquals(0.51, left / EXPERIMENTS, 0.01);
    assertEquals(0, sum / EXPERIMENTS, 4 * Math.sqrt(squares) / EXPERIMENTS);
  }

  /** Two covariates, a tenth of the units treated, and slopes that differ between the two. */
  @Test
  void severalCovariatesKeepTheErrorWhateverTheShares() {
    Random random = new Random(7);
    Metric adjusted = new Metric("adjusted", new Measure.Mean("y", true), Direction.UP);
    Predicate<Effect> covers = effect -> effect.absolute().interval(1 - ALPHA).contains(0);
    int missed = 0;
    for (int experiment = 0; experiment < EXPERIMENTS; experiment++) {
      VariantSample control = returning(random, 450, 1);
      VariantSample treatment = returning(random, 50, 2);
      missed += covers.test(effect(adjusted, control, treatment)) ? 0 : 1;
    }
    assertEquals(ALPHA, share(missed), TOLERANCE);
  }

  /** Shares and base rates move together over three phases. */
  @Test
  void phasesArePooledByTheirEffects() {
    Random random = new Random(8);
    Metric converted = new Metric("rate", new Measure.Conversion("order", false), Direction.UP);
    int rejected = 0;
    int rejectedForReturning = 0;
    int rejectedBySums = 0;
    for (int experiment = 0; experiment < EXPERIMENTS; experiment++) {
      List<VariantSample> controls = new ArrayList<>();
      List<VariantSample> treatments = new ArrayList<>();
      controls.add(conversions(random, 900, 0.1));
      treatments.add(conversions(random, 100, 0.1));
      controls.add(conversions(random, 500, 0.15));
      treatments.add(conversions(random, 500, 0.15));
      controls.add(conversions(random, 500, 0.2));
      treatments.add(conversions(random, 500, 0.2));
      List<Effect> phases =
          IntStream.range(0, 3)
              .mapToObj(phase -> effect(converted, controls.get(phase), treatments.get(phase)))
              .toList();
      rejected += rejects(PooledPhases.BY_UNITS.of(phases)) ? 1 : 0;
      rejectedForReturning += rejects(PooledPhases.MANTEL_HAENSZEL.of(phases)) ? 1 : 0;
      VariantSample control = controls.stream().reduce(VariantSample::plus).orElseThrow();
      VariantSample treatment = treatments.stream().reduce(VariantSample::plus).orElseThrow();
      rejectedBySums += rejects(effect(converted, control, treatment)) ? 1 : 0;
    }
    assertEquals(ALPHA, share(rejected), TOLERANCE);
    assertTrue(share(rejectedForReturning) <= ALPHA);
    assertTrue(share(rejectedBySums) > 0.4);
  }

  private static VariantSample visitors(Random random) {
    UnitSums sums = new UnitSums(List.of("clicks", "sessions"));
    for (int unit = 0; unit < 200; unit++) {
      double rate = random.nextDouble() * random.nextDouble();
      int sessions = 1 + random.nextInt(8);
      int clicks = 0;
      for (int session = 0; session < sessions; session++) {
        clicks += random.nextDouble() < rate ? 1 : 0;
      }
      sums.add(clicks, sessions);
    }
    return VariantSample.of("variant", sums.moments());
  }

  /** Taking every session for a unit of its own. */
  private static double errorBySession(VariantSample sample) {
    double sessions = sample.moments().sum("sessions");
    double rate = sample.moments().sum("clicks") / sessions;
    return Math.sqrt(rate * (1 - rate) / sessions);
  }

  /** A correlation of 0.7. */
  private static VariantSample correlated(Random random) {
    UnitSums sums = new UnitSums(List.of("y", "pre:y"));
    for (int unit = 0; unit < 200; unit++) {
      double before = random.nextGaussian();
      sums.add(0.7 * before + Math.sqrt(0.51) * random.nextGaussian(), before);
    }
    return VariantSample.of("variant", sums.moments());
  }

  /** Six in ten units were there before, with totals that the variant multiplies around 0. */
  private static VariantSample returning(Random random, int units, double slope) {
    UnitSums sums = new UnitSums(List.of("y", "pre:y", "pre:seen"));
    for (int unit = 0; unit < units; unit++) {
      double seen = random.nextDouble() < 0.6 ? 1 : 0;
      double before = seen * random.nextGaussian();
      sums.add(slope * before + 0.5 * seen + random.nextGaussian(), before, seen);
    }
    return VariantSample.of("variant", sums.moments());
  }

  private static VariantSample conversions(Random random, int units, double rate) {
    int converted = 0;
    for (int unit = 0; unit < units; unit++) {
      converted += random.nextDouble() < rate ? 1 : 0;
    }
    double[] sum = {converted};
    return VariantSample.of("variant", new Moments(List.of("order:any"), units, sum, sum));
  }

  private static Effect effect(Metric metric, VariantSample control, VariantSample treatment) {
    return assertInstanceOf(Effect.class, metric.effect(control, treatment));
  }

  private static boolean rejects(EffectOutcome outcome) {
    return assertInstanceOf(Effect.class, outcome).absolute().p() < ALPHA;
  }

  private static double share(int rejected) {
    return (double) rejected / EXPERIMENTS;
  }

  private static double square(double value) {
    return value * value;
  }
}
