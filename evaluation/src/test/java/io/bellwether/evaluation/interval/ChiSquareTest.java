package io.bellwether.evaluation.interval;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.evaluation.Golden;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Scale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reference values: SciPy 1.17.1, {@code chi2.cdf}, {@code chi2.sf}, {@code norm.cdf}. */
class ChiSquareTest {

  @ParameterizedTest
  @CsvSource({
    "5.020549886618361, 2, 0.9187541018463296, 0.08124589815367048",
    "53.91, 33, 0.9877613115172494, 0.012238688482750554",
    "31.98, 45, 0.07204757780045287, 0.9279524221995471",
    "0.01, 1, 0.07965567455405799, 0.920344325445942",
    "100, 1, 1, 1.5239706048320995e-23",
    "3.5, 2.5, 0.7555697493187187, 0.24443025068128132",
    "1000100, 1000000, 0.5283726399525065, 0.47162736004749356",
    "998000, 1000000, 0.07858029198714493, 0.921419708012855",
    "1e-08, 4, 1.2499999958333371e-17, 1",
    "600, 200, 1, 1.4110215102111738e-41",
    "0, 3, 0, 1"
  })
  void bothTailsAgree(double x, double degreesOfFreedom, double cumulative, double survival) {
    assertEquals(cumulative, ChiSquare.cumulative(x, degreesOfFreedom), 1e-10 * cumulative);
    assertEquals(survival, ChiSquare.survival(x, degreesOfFreedom), 1e-10 * survival);
  }

  @Test
  void theCalibrationTestsPValueAgrees() {
    JsonNode test = Golden.json("misc_expected.json").get("propensity_calibration");
    double p = ChiSquare.survival(test.get("chi2_score").doubleValue(), test.get("df").intValue());
    assertEquals(test.get("p").doubleValue(), p, 1e-12);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0.5",
    "1, 0.8413447460685429",
    "-1.5, 0.06680720126885807",
    "-8, 6.22096057427174e-16",
    "5, 0.9999997133484281",
    "-30, 4.906713927147908e-198"
  })
  void normalProbabilitiesAgree(double z, double expected) {
    assertEquals(expected, Normal.cumulative(z), 1e-11 * expected);
  }

  @Property
  void tailsAddUpToOne(
      @ForAll @DoubleRange(min = 0, max = 400) double x,
      @ForAll @DoubleRange(min = 0.1, max = 300) double degreesOfFreedom) {
    double sum =
        ChiSquare.cumulative(x, degreesOfFreedom) + ChiSquare.survival(x, degreesOfFreedom);
    assertEquals(1, sum, 1e-12);
    assertTrue(ChiSquare.survival(x, degreesOfFreedom) >= 0);
  }

  @Property
  void twoDegreesOfFreedomAreExponential(@ForAll @DoubleRange(min = 0, max = 500) double x) {
    assertEquals(Math.exp(-x / 2), ChiSquare.survival(x, 2), 1e-12 * Math.exp(-x / 2));
  }

  @Property
  void normalQuantileInvertsTheDistribution(
      @ForAll @Scale(4) @DoubleRange(min = 0.0001, max = 0.9999) double probability) {
    assertEquals(probability, Normal.cumulative(Normal.quantile(probability)), 1e-13);
  }

  @Test
  void negativeStatisticsAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> ChiSquare.survival(-1, 2));
    assertThrows(IllegalArgumentException.class, () -> ChiSquare.survival(Double.NaN, 2));
    assertThrows(IllegalArgumentException.class, () -> ChiSquare.survival(1, 0));
  }
}
