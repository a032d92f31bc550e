package io.bellwether.evaluation.experiment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.evaluation.interval.Quantiles;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class DistributionTest {

  @Property(tries = 200)
  void partsInAnySplitAddUpToTheWhole(
      @ForAll @Size(max = 60) List<@IntRange(min = -20, max = 20) Integer> listed,
      @ForAll @IntRange(min = 1, max = 9) int parts) {
    double[] values = tenths(listed);
    Distribution merged = Distribution.empty();
    for (int part = 0; part < parts; part++) {
      int first = part * values.length / parts;
      int end = (part + 1) * values.length / parts;
      merged = Distribution.of(Arrays.copyOfRange(values, first, end)).plus(merged);
    }
    Distribution whole = Distribution.of(values);
    assertArrayEquals(whole.uppers(), merged.uppers());
    assertArrayEquals(whole.counts(), merged.counts());
    for (int bucket = 0; bucket < whole.uppers().length; bucket++) {
      assertClose(whole.sums()[bucket], merged.sums()[bucket]);
      assertClose(whole.squares()[bucket], merged.squares()[bucket]);
    }
  }

  @Property(tries = 200)
  void quantilesAreThoseOfTheSortedValues(
      @ForAll @Size(min = 1, max = 60) List<@IntRange(min = -20, max = 20) Integer> listed,
      @ForAll @DoubleRange(min = 0.01, max = 0.99) double share) {
    double[] values = tenths(listed);
    Arrays.sort(values);
    Distribution distribution = Distribution.of(values);
    double atRank = values[(int) Math.ceil(values.length * share) - 1];
    assertEquals(atRank, distribution.quantile(share).orElseThrow(), 1e-12);
    double interpolated = Quantiles.ofSorted(values, share);
    assertEquals(interpolated, distribution.interpolated(share), 1e-12);
  }

  @Property(tries = 200)
  void cappedValuesHaveTheMomentsOfCutOnes(
      @ForAll @Size(min = 2, max = 60) List<@IntRange(min = -20, max = 20) Integer> listed,
      @ForAll @IntRange(min = -20, max = 20) int tenthsOfCap) {
    double[] values = tenths(listed);
    double cap = tenthsOfCap / 10.0;
    double[] cut = Arrays.stream(values).map(value -> Math.min(value, cap)).toArray();
    UnitSums expected = new UnitSums(List.of("cut"));
    Arrays.stream(cut).forEach(expected::add);
    Distribution.Capped capped = Distribution.of(values).capped(cap);
    assertEquals(Arrays.stream(values).filter(value -> value > cap).count(), capped.cut());
    assertEquals(expected.moments().mean(0), capped.moments().mean(0), 1e-12);
    double variance = expected.moments().covariance(0, 0);
    assertEquals(variance, capped.moments().covariance(0, 0), 1e-11);
  }

  @Test
  void aBucketStandsForItsMean() {
    Distribution waiting =
        new Distribution(
            new double[] {0, 102, 200},
            new long[] {1, 2, 1},
            new double[] {0, 202, 199},
            new double[] {0, 20_402, 39_601});
    assertEquals(101, waiting.quantile(0.5).orElseThrow());
    assertEquals(401.0 / 4, waiting.mean().orElseThrow());
  }

  @Test
  void noValueHasNoQuantile() {
    assertTrue(Distribution.empty().quantile(0.5).isEmpty());
    assertTrue(Distribution.empty().mean().isEmpty());
  }

  @Test
  void bothZerosAreOneValue() {
    assertArrayEquals(new long[] {2, 1}, Distribution.of(0.0, 1, -0.0).counts());
  }

  @Test
  void whatIsNoNumberHasNoPlace() {
    assertThrows(IllegalArgumentException.class, () -> Distribution.of(1, Double.NaN));
  }

  @Test
  void bucketsThatDoNotAscendAreRefused() {
    double[] uppers = {1, 1};
    double[] sums = {1, 1};
    long[] counts = {1, 1};
    assertThrows(
        IllegalArgumentException.class, () -> new Distribution(uppers, counts, sums, sums));
    assertThrows(
        IllegalArgumentException.class, () -> new Distribution(uppers, new long[1], sums, sums));
  }

  private static void assertClose(double expected, double found) {
    assertEquals(expected, found, 1e-12 * Math.abs(expected));
  }

  private static double[] tenths(List<Integer> listed) {
    return listed.stream().mapToDouble(value -> value / 10.0).toArray();
  }
}
