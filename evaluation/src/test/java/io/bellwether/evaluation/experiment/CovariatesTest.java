package io.bellwether.evaluation.experiment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CovariatesTest {
  private static final List<String> COLUMNS = List.of("y", "pre:y", "pre:seen");
  private static final Metric PLAIN =
      new Metric("plain", new Measure.Mean("y", false), Direction.UP);
  private static final Metric ADJUSTED =
      new Metric("adjusted", new Measure.Mean("y", true), Direction.UP);

  private final double[][] control = units(new Random(21), 70, 1, 0.2);
  private final double[][] treatment = units(new Random(22), 30, 2, 0.5);

  /** Least squares of y on 1, treated, centred covariates and treated times those. */
  @Test
  void severalCovariatesAreTheRegressionWithInteractions() {
    double[] centre = new double[2];
    for (int covariate = 0; covariate < 2; covariate++) {
      int column = covariate + 1;
      centre[covariate] = (sum(control, column) + sum(treatment, column)) / 100;
    }
    double[][] normal = new double[6][7];
    accumulate(normal, control, 0, centre);
    accumulate(normal, treatment, 1, centre);
    double[] coefficients = solved(normal);
    Effect effect = effect(ADJUSTED, control, treatment);
    assertEquals(coefficients[1], effect.difference(), 1e-9);
  }

  @Test
  void aConstantCovariateTakesNothingOff() {
    double[][] first = everyoneAtOne(control);
    double[][] second = everyoneAtOne(treatment);
    assertEquals(effect(PLAIN, first, second), effect(ADJUSTED, first, second));
  }

  @Test
  void aCovariateThatFollowsFromAnotherTakesNothingMoreOff() {
    double[][] first = doubled(control);
    double[][] second = doubled(treatment);
    Moments[] moments = {moments(first), moments(second)};
    Linear mean = new Linear.OfMean("y");
    Covariates.Slopes both =
        new Covariates(List.of("pre:y", "pre:seen")).slopes(mean, moments[0], moments[1]);
    Covariates.Slopes one = new Covariates(List.of("pre:y")).slopes(mean, moments[0], moments[1]);
    assertEquals(1, both.used());
    assertArrayEquals(one.theta(), both.theta());
  }

  /** What the covariate explains fully has no error left, so nothing can be said of its size. */
  @Test
  void aMetricThatIsItsCovariateHasNoVarianceLeft() {
    double[][] first = copied(control);
    double[][] second = copied(treatment);
    EffectOutcome outcome = ADJUSTED.effect(sample(first), sample(second));
    assertEquals(
        EffectOutcome.Reason.ZERO_VARIANCE,
        assertInstanceOf(EffectOutcome.Undefined.class, outcome).reason());
  }

  /** More clicks per session by those who clicked more before. */
  @Test
  void aRatioTakesCovariatesOfBothOfItsTotals() {
    Random random = new Random(23);
    Measure plain = new Measure.PerDecision("like", false);
    Measure adjusted = new Measure.PerDecision("like", true);
    VariantSample first = readers(random, 0);
    VariantSample second = readers(random, 0.05);
    Effect without =
        assertInstanceOf(Effect.class, new Metric("a", plain, Direction.UP).effect(first, second));
    Effect with =
        assertInstanceOf(
            Effect.class, new Metric("b", adjusted, Direction.UP).effect(first, second));
    assertTrue(with.standardError() < 0.6 * without.standardError());
    assertEquals(0.05, with.difference(), 4 * with.standardError());
    assertEquals(
        with.difference() / without.control(),
        with.lift().known().orElseThrow().difference(),
        1e-12);
  }

  private static VariantSample readers(Random random, double more) {
    UnitSums sums =
        new UnitSums(List.of("decisions", "like", "pre:decisions", "pre:like", "pre:seen"));
    for (int unit = 0; unit < 2_000; unit++) {
      double taste = random.nextDouble();
      double before = 10 + random.nextInt(3);
      double now = 1 + random.nextInt(20);
      sums.add(
          now,
          now * (taste + more) + 0.3 * random.nextGaussian(),
          before,
          before * taste + 0.3 * random.nextGaussian(),
          1);
    }
    return VariantSample.of("variant", sums.moments());
  }

  private static double[][] units(Random random, int count, double slope, double lead) {
    double[][] units = new double[count][];
    for (int unit = 0; unit < count; unit++) {
      double seen = random.nextDouble() < 0.5 ? 1 : 0;
      double before = seen * (3 + random.nextGaussian());
      units[unit] = new double[] {lead + slope * before + random.nextGaussian(), before, seen};
    }
    return units;
  }

  private static double[][] everyoneAtOne(double[][] units) {
    return Arrays.stream(units).map(unit -> new double[] {unit[0], 1, 1}).toArray(double[][]::new);
  }

  private static double[][] doubled(double[][] units) {
    return Arrays.stream(units)
        .map(unit -> new double[] {unit[0], unit[1], 2 * unit[1]})
        .toArray(double[][]::new);
  }

  private static double[][] copied(double[][] units) {
    return Arrays.stream(units)
        .map(unit -> new double[] {unit[1], unit[1], 1})
        .toArray(double[][]::new);
  }

  private static Effect effect(Metric metric, double[][] control, double[][] treatment) {
    return assertInstanceOf(Effect.class, metric.effect(sample(control), sample(treatment)));
  }

  private static VariantSample sample(double[][] units) {
    return VariantSample.of("variant", moments(units));
  }

  private static Moments moments(double[][] units) {
    UnitSums sums = new UnitSums(COLUMNS);
    for (double[] unit : units) {
      sums.add(unit);
    }
    return sums.moments();
  }

  private static double sum(double[][] units, int column) {
    return Arrays.stream(units).mapToDouble(unit -> unit[column]).sum();
  }

  private static void accumulate(
      double[][] normal, double[][] units, int treated, double[] centre) {
    for (double[] unit : units) {
      double first = unit[1] - centre[0];
      double second = unit[2] - centre[1];
      double[] row = {1, treated, first, second, treated * first, treated * second, unit[0]};
      for (int left = 0; left < 6; left++) {
        for (int right = 0; right < 7; right++) {
          normal[left][right] += row[left] * row[right];
        }
      }
    }
  }

  private static double[] solved(double[][] normal) {
    int size = normal.length;
    for (int pivot = 0; pivot < size; pivot++) {
      for (int row = 0; row < size; row++) {
        double factor = row == pivot ? 0 : normal[row][pivot] / normal[pivot][pivot];
        for (int column = pivot; column <= size; column++) {
          normal[row][column] -= factor * normal[pivot][column];
        }
      }
    }
    double[] solution = new double[size];
    Arrays.setAll(solution, row -> normal[row][size] / normal[row][row]);
    return solution;
  }
}
