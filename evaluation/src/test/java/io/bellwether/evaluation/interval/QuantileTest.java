package io.bellwether.evaluation.interval;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Scale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Reference values: SciPy 1.17.1, {@code norm.ppf}, {@code t.ppf}, {@code t.cdf}, {@code beta.ppf}.
 */
class QuantileTest {

  @ParameterizedTest
  @CsvSource({
    "0.975, 1.959963984540054",
    "0.95, 1.6448536269514722",
    "0.6, 0.2533471031357997",
    "0.0000000001, -6.361340902404056",
    "0.9999, 3.719016485455709"
  })
  void normalQuantilesAgree(double probability, double expected) {
    assertEquals(expected, Normal.quantile(probability), 1e-12);
  }

  @ParameterizedTest
  @CsvSource({
    "0.975, 29, 2.045229642132703",
    "0.975, 1, 12.706204736174694",
    "0.95, 2.5, 2.5582186141359355",
    "0.999, 7, 4.785289628638333",
    "0.6, 30, 0.2556053649519128",
    "0.95, 1999, 1.6456162481872625",
    "0.95, 2001, 1.6456154855920275",
    "0.9995, 2001, 3.295395698974386",
    "0.975, 100000, 1.9599877075346095"
  })
  void studentQuantilesAgree(double probability, double degreesOfFreedom, double expected) {
    double found = StudentT.quantile(probability, degreesOfFreedom);
    assertEquals(expected, found, 1e-9);
    assertEquals(-expected, StudentT.quantile(1 - probability, degreesOfFreedom), 1e-9);
  }

  @ParameterizedTest
  @CsvSource({
    "1.3, 5, 0.8748496829146615",
    "-4, 12, 0.0008808481221975133",
    "0.01, 300, 0.503986033020559"
  })
  void studentDistributionAgrees(double t, double degreesOfFreedom, double expected) {
    assertEquals(expected, StudentT.cumulative(t, degreesOfFreedom), 1e-12);
  }

  @ParameterizedTest
  @CsvSource({
    "69, 10000, 0.005372462839434917, 0.008724382584468312",
    "0, 20, 0, 0.1684334709830853",
    "20, 20, 0.8315665290169146, 1",
    "1, 10, 0.0025285785444617848, 0.4450161170281954",
    "500000, 1000000, 0.49901951919531184, 0.5009804808046882"
  })
  void clopperPearsonAgrees(long successes, long trials, double lower, double upper) {
    Interval interval = new ClopperPearson(successes, trials).interval(0.95);
    assertEquals(lower, interval.lower(), 1e-9);
    assertEquals(upper, interval.upper(), 1e-9);
  }

  @Property
  void studentQuantileInvertsTheDistribution(
      @ForAll @Scale(4) @DoubleRange(min = 0.001, max = 0.999) double probability,
      @ForAll @DoubleRange(min = 1, max = 1900) double degreesOfFreedom) {
    double t = StudentT.quantile(probability, degreesOfFreedom);
    assertEquals(probability, StudentT.cumulative(t, degreesOfFreedom), 1e-11);
  }

  @Property
  void clopperPearsonContainsTheObservedRate(
      @ForAll @IntRange(min = 1, max = 5000) int trials,
      @ForAll @DoubleRange(min = 0, max = 1) double share) {
    long successes = Math.round(share * trials);
    Interval interval = new ClopperPearson(successes, trials).interval(0.9);
    assertTrue(interval.contains((double) successes / trials));
    assertTrue(interval.lower() >= 0 && interval.upper() <= 1);
  }
}
