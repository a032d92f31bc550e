package io.bellwether.evaluation.interval;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.evaluation.CompensatedSums;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class BoundedIntervalsTest {

  @Property(tries = 100)
  void theBettingIntervalIsTheOneOfAGrid(
      @ForAll @Size(min = 1, max = 60) List<@DoubleRange(min = 0, max = 1) Double> listed) {
    double[] values = listed.stream().mapToDouble(Double::doubleValue).toArray();
    Interval interval = BettingInterval.of(values, 0.9);
    double[] kept =
        DoubleStream.iterate(0, m -> m <= 1, m -> m + 0.001)
            .filter(m -> isKept(values, m, 0.1))
            .toArray();
    assertEquals(kept[0], interval.lower(), 0.0011);
    assertEquals(kept[kept.length - 1], interval.upper(), 0.0011);
  }

  @Property(tries = 50)
  void theBettingIntervalMirrorsItsValues(
      @ForAll @Size(min = 1, max = 200) List<@DoubleRange(min = 0, max = 1) Double> listed) {
    double[] values = listed.stream().mapToDouble(Double::doubleValue).toArray();
    Interval interval = BettingInterval.of(values, 0.95);
    Interval mirrored =
        BettingInterval.of(Arrays.stream(values).map(value -> 1 - value).toArray(), 0.95);
    assertEquals(interval.lower(), 1 - mirrored.upper(), 1e-9);
    assertEquals(interval.upper(), 1 - mirrored.lower(), 1e-9);
  }

  @Test
  void boundedIntervalsCoverARareRate() {
    int betting = 0;
    int bernstein = 0;
    int sequence = 0;
    for (int seed = 0; seed < 300; seed++) {
      double[] values = clicks(400, 0.03, seed);
      betting += BettingInterval.of(values, 0.9).contains(0.03) ? 1 : 0;
      bernstein += bernstein(values).interval(0.9).contains(0.03) ? 1 : 0;
      TwoSidedEmpiricalBernsteinSequence look = new TwoSidedEmpiricalBernsteinSequence(0.9);
      Arrays.stream(values).forEach(look::add);
      sequence += look.best().contains(0.03) ? 1 : 0;
    }
    assertTrue(betting >= 264 && bernstein >= 270 && sequence >= 270);
  }

  @Test
  void bettingIsTighterThanBernsteinAndHoeffding() {
    double[] values = clicks(2000, 0.03, 1);
    double mean = CompensatedSums.of(values) / values.length;
    double width = width(BettingInterval.of(values, 0.95));
    assertTrue(width < width(bernstein(values).interval(0.95)));
    assertTrue(width < width(new Hoeffding(values.length, mean, 1).interval(0.95)));
  }

  @Test
  void theTruncatedBoundIsTheBernsteinBoundOfTheKeptUnits() {
    double[] values = weighted(3000, 5);
    TruncatedEmpiricalBernstein bound = new TruncatedEmpiricalBernstein(9, 1);
    for (int unit = 0; unit < values.length; unit++) {
      bound.add(unit, values[unit]);
    }
    double cap = bound.cap(0.05).orElseThrow();
    CounterRandom random = new CounterRandom(9);
    double[] kept = new double[values.length];
    int count = 0;
    for (int unit = 0; unit < values.length; unit++) {
      if (random.uniform(0x74727563L, unit, 0, 0) >= 0.05) {
        kept[count++] = Math.min(cap, values[unit]);
      }
    }
    assertEquals(0.95 * values.length, count, 50);
    kept = Arrays.copyOf(kept, count);
    double mean = CompensatedSums.of(kept) / count;
    double expected = new EmpiricalBernstein(count, mean, variance(kept), cap).lower(0.05);
    assertEquals(expected, bound.lower(0.05).orElseThrow(), 1e-12);
    assertTrue(expected > 0.5);
  }

  @Property(tries = 30)
  void theTruncatedBoundOfPartsIsTheOneOfAll(@ForAll @IntRange(min = 0, max = 500) int split) {
    double[] values = weighted(500, 3);
    TruncatedEmpiricalBernstein all = new TruncatedEmpiricalBernstein(2, 1);
    TruncatedEmpiricalBernstein first = new TruncatedEmpiricalBernstein(2, 1);
    TruncatedEmpiricalBernstein second = new TruncatedEmpiricalBernstein(2, 1);
    for (int unit = 0; unit < values.length; unit++) {
      all.add(unit, values[unit]);
      (unit < split ? first : second).add(unit, values[unit]);
    }
    first.merge(second);
    assertEquals(all.cap(0.05), first.cap(0.05));
    assertEquals(all.lower(0.05).orElseThrow(), first.lower(0.05).orElseThrow(), 1e-12);
  }

  @Test
  void theTruncatedBoundIsBelowTheTruthAsOftenAsItSays() {
    int above = 0;
    for (int seed = 0; seed < 400; seed++) {
      TruncatedEmpiricalBernstein bound = new TruncatedEmpiricalBernstein(seed, 1);
      double[] values = weighted(800, seed);
      for (int unit = 0; unit < values.length; unit++) {
        bound.add(unit, values[unit]);
      }
      above += bound.lower(0.05).orElseThrow() > 1 ? 1 : 0;
    }
    assertTrue(above <= 20);
  }

  @Test
  void tooFewUnitsHaveNoTruncatedBound() {
    TruncatedEmpiricalBernstein bound = new TruncatedEmpiricalBernstein(1, 1);
    bound.add(1, 0.5);
    bound.add(2, 0.7);
    assertTrue(bound.lower(0.05).isEmpty());
    assertThrows(IllegalArgumentException.class, () -> bound.add(3, -0.1));
    assertThrows(IllegalArgumentException.class, () -> bound.add(3, Double.NaN));
  }

  @Test
  void theRangeOfWeightedRewardsComesFromThePolicies() {
    assertEquals(45, EmpiricalBernstein.weightedRange(1, 0.9, 0.02), 1e-12);
    assertThrows(IllegalArgumentException.class, () -> EmpiricalBernstein.weightedRange(1, 0.9, 0));
  }

  @Test
  void valuesOutsideTheirRangeAreRefused() {
    double[] values = {0.5, 1.5};
    assertThrows(IllegalArgumentException.class, () -> BettingInterval.of(values, 0.95));
    TwoSidedEmpiricalBernsteinSequence sequence = new TwoSidedEmpiricalBernsteinSequence(0.95);
    assertThrows(IllegalArgumentException.class, () -> sequence.add(1.5));
  }

  private static boolean isKept(double[] values, double m, double alpha) {
    double sum = 0;
    double squares = 0;
    double higher = 1;
    double lower = 1;
    for (int t = 1; t <= values.length; t++) {
      double variance = (0.25 + squares) / t;
      double bet = Math.min(1, Math.sqrt(2 * Math.log(2 / alpha) / (values.length * variance)));
      double value = values[t - 1];
      higher *= 1 + Math.min(bet, 0.9 / m) * (value - m);
      lower *= 1 - Math.min(bet, 0.9 / (1 - m)) * (value - m);
      sum += value;
      squares += Math.pow(value - (0.5 + sum) / (t + 1), 2);
    }
    return Math.max(higher / 2, lower / 2) < 1 / alpha;
  }

  private static EmpiricalBernstein bernstein(double[] values) {
    double mean = CompensatedSums.of(values) / values.length;
    return new EmpiricalBernstein(values.length, mean, variance(values), 1);
  }

  private static double variance(double[] values) {
    double mean = CompensatedSums.of(values) / values.length;
    return Arrays.stream(values).map(value -> (value - mean) * (value - mean)).sum()
        / (values.length - 1);
  }

  private static double width(Interval interval) {
    return interval.upper() - interval.lower();
  }

  private static double[] clicks(int count, double rate, long seed) {
    Random random = new Random(seed);
    return DoubleStream.generate(() -> random.nextDouble() < rate ? 1 : 0).limit(count).toArray();
  }

  /** Log-normal with mean 1. */
  private static double[] weighted(int count, long seed) {
    Random random = new Random(seed);
    return DoubleStream.generate(() -> Math.exp(random.nextGaussian() - 0.5))
        .limit(count)
        .toArray();
  }
}
