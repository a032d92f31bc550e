package io.bellwether.evaluation.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.evaluation.Golden;
import io.bellwether.evaluation.interval.AsymptoticSequence;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;

class UniformBoundaryTest {
  private final UniformBoundary twoSided = new UniformBoundary.TwoSidedNormalMixture(0.05, 1_000);
  private final UniformBoundary oneSided = new UniformBoundary.OneSidedNormalMixture(0.05, 1_000);
  private final UniformBoundary gamma = new UniformBoundary.GammaExponentialMixture(0.05, 1_000, 1);

  @Test
  void theTableOfTheReferenceAgrees() {
    for (JsonNode row : Golden.json("sequential_expected.json").at("/confseq_boundaries/rows")) {
      double v = row.get("v").doubleValue();
      assertAgrees(row, "normal_mixture_two_sided", twoSided.at(v));
      assertAgrees(row, "normal_mixture_one_sided", oneSided.at(v));
      assertAgrees(row, "gamma_exponential_c1", gamma.at(v));
      assertAgrees(
          row, "poly_stitching_c0", UniformBoundary.PolynomialStitching.from(10, 0, 0.05).at(v));
      assertAgrees(
          row, "poly_stitching_c1", UniformBoundary.PolynomialStitching.from(10, 1, 0.05).at(v));
    }
  }

  @Property
  void theSequenceOfMeansIsTheTwoSidedMixtureDividedByTheCount(
      @ForAll @DoubleRange(min = 10, max = 1e6) double count) {
    long whole = (long) count;
    double margin = new AsymptoticSequence(0.05, 1_000).twoSidedMargin(whole, 1 / Math.sqrt(whole));
    assertEquals(margin, twoSided.at(whole) / whole, 1e-9 * margin);
  }

  @Property(tries = 200)
  void heavierTailsAndMoreVarianceGoFarther(
      @ForAll @DoubleRange(min = 1, max = 1e6) double variance) {
    assertTrue(gamma.at(variance) > oneSided.at(variance));
    assertTrue(twoSided.at(variance) > oneSided.at(variance));
    assertTrue(gamma.at(1.01 * variance) > gamma.at(variance));
    assertTrue(oneSided.at(1.01 * variance) > oneSided.at(variance));
  }

  @Test
  void shapesThatMeanNothingAreRefused() {
    assertThrows(
        IllegalArgumentException.class, () -> new UniformBoundary.TwoSidedNormalMixture(0, 1_000));
    assertThrows(
        IllegalArgumentException.class,
        () -> new UniformBoundary.GammaExponentialMixture(0.05, 1_000, 0));
    assertThrows(
        IllegalArgumentException.class,
        () -> new UniformBoundary.PolynomialStitching(0.05, 10, 0, 1, 2));
  }

  /** Of root finding, on numbers printed with ten decimals. */
  private static void assertAgrees(JsonNode row, String name, double found) {
    double expected = row.get(name).doubleValue();
    assertEquals(expected, found, 1e-9 * expected, name + " at " + row.get("v"));
  }
}
