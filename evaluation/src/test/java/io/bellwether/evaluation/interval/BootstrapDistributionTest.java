package io.bellwether.evaluation.interval;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class BootstrapDistributionTest {

  @Test
  void anUncorrectedBcaIsThePercentileInterval() {
    double[] symmetric = {-3, -2, -1, 1, 2, 3};
    BootstrapDistribution distribution = new BootstrapDistribution(0, symmetric, 0);
    assertEquals(0, distribution.biasCorrection(), 1e-12);
    assertEquals(distribution.percentile(0.8).lower(), distribution.bca(0.8).lower(), 1e-9);
    assertEquals(distribution.percentile(0.8).upper(), distribution.bca(0.8).upper(), 1e-9);
  }

  @Test
  void replicatesOnOneSideFallBackToThePercentileInterval() {
    BootstrapDistribution distribution =
        new BootstrapDistribution(0, new double[] {1, 2, 3, 4}, 0.1);
    assertTrue(distribution.fallsBack(0.95));
    assertEquals(Interval.Method.PERCENTILE, distribution.bca(0.95).method());
    assertEquals(distribution.percentile(0.95), distribution.bca(0.95));
  }

  @Test
  void anAccelerationThatIsTooLargeOrUnknownFallsBack() {
    double[] replicates = {-2, -1, 1, 2};
    assertFalse(new BootstrapDistribution(0, replicates, 0.4).fallsBack(0.95));
    assertTrue(new BootstrapDistribution(0, replicates, 0.6).fallsBack(0.95));
    assertTrue(new BootstrapDistribution(0, replicates, Double.NaN).fallsBack(0.95));
  }

  @Test
  void replicatesThatDifferByRoundingAloneAreTies() {
    double next = Math.nextUp(0.3);
    BootstrapDistribution distribution =
        new BootstrapDistribution(0.3, new double[] {next, next, next}, 0);
    assertFalse(distribution.fallsBack(0.95));
    assertEquals(0, distribution.biasCorrection(), 1e-12);
  }

  @Test
  void oneReplicateSaysNothing() {
    double[] one = {1};
    assertThrows(IllegalArgumentException.class, () -> new BootstrapDistribution(1, one, 0));
  }

  @Property
  void accelerationIsTheJackknifesFormula(
      @ForAll @Size(min = 3, max = 40) List<@DoubleRange(min = -5, max = 5) Double> listed,
      @ForAll @IntRange(min = 0, max = 3) int split) {
    double[] leftOut = listed.stream().mapToDouble(Double::doubleValue).toArray();
    double mean = Arrays.stream(leftOut).average().orElseThrow();
    double squares = Arrays.stream(leftOut).map(value -> Math.pow(mean - value, 2)).sum();
    double cubes = Arrays.stream(leftOut).map(value -> Math.pow(mean - value, 3)).sum();
    JackknifeAcceleration first = new JackknifeAcceleration(1, leftOut.length);
    JackknifeAcceleration second = new JackknifeAcceleration(1, leftOut.length);
    for (int unit = 0; unit < leftOut.length; unit++) {
      (unit < split ? first : second).add(leftOut[unit]);
    }
    first.merge(second);
    if (squares > 1e-3) {
      assertEquals(cubes / (6 * Math.pow(squares, 1.5)), first.value(), 1e-9);
    }
  }

  @Test
  void aUnitWithoutWhichNothingIsLeftMakesTheAccelerationUnknown() {
    JackknifeAcceleration jackknife = new JackknifeAcceleration(1, 3);
    jackknife.add(0.9);
    jackknife.add(Double.NaN);
    assertTrue(Double.isNaN(jackknife.value()));
  }

  @Test
  void maxTOfIndependentEstimatesIsSidaksAndOfEqualOnesPointwise() {
    double[][] independent = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double[][] equal = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
    assertEquals(
        Simultaneous.SIDAK.critical(0.95, independent, 0),
        Simultaneous.MAX_T.critical(0.95, independent, 3),
        0.015);
    assertEquals(1.96, Simultaneous.MAX_T.critical(0.95, equal, 3), 0.015);
  }

  @Test
  void maxTIsRepeatableAndBelowBonferroni() {
    double[][] correlation = {{1, 0.5}, {0.5, 1}};
    double first = Simultaneous.MAX_T.critical(0.9, correlation, 8);
    assertEquals(first, Simultaneous.MAX_T.critical(0.9, correlation, 8));
    assertTrue(first < Simultaneous.BONFERRONI.critical(0.9, correlation, 8));
  }

  @Test
  void maxTDoesNotDependOnUnits() {
    double[][] correlation = {{1, 0.5}, {0.5, 1}};
    double[][] covariance = {{4, 3}, {3, 9}};
    assertEquals(
        Simultaneous.MAX_T.critical(0.9, correlation, 8),
        Simultaneous.MAX_T.critical(0.9, covariance, 8),
        1e-12);
  }

  @Test
  void anEstimateWithoutSpreadDoesNotWidenTheOthers() {
    double[][] alone = {{1}};
    double[][] constant = {{1, 0}, {0, 0}};
    assertEquals(1.645, Simultaneous.MAX_T.critical(0.9, alone, 8), 0.015);
    assertEquals(1.645, Simultaneous.MAX_T.critical(0.9, constant, 8), 0.015);
  }
}
