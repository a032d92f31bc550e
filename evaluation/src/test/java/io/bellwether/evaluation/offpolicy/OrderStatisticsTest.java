package io.bellwether.evaluation.offpolicy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bellwether.evaluation.CompensatedSums;
import io.bellwether.evaluation.interval.Quantiles;
import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.NotEmpty;
import org.junit.jupiter.api.Test;

class OrderStatisticsTest {
  private static final double[] SHARES = {0, 0.01, 0.5, 0.9, 0.99, 1};

  @Property(tries = 300)
  void quantilesAreThoseOfASortedCopy(
      @ForAll @NotEmpty List<@DoubleRange(min = -1e300, max = 1e300) Double> numbers,
      @ForAll @IntRange(max = 40) int sorted) {
    assertQuantiles(numbers.stream().mapToDouble(each -> each).toArray(), sorted);
  }

  @Property(tries = 300)
  void tiesAndNeighboursAreToldApart(
      @ForAll @NotEmpty List<@IntRange(max = 3) Integer> numbers,
      @ForAll @IntRange(max = 5) int sorted) {
    double[] neighbours = {0, 1, Math.nextUp(1), Double.MIN_VALUE};
    assertQuantiles(numbers.stream().mapToDouble(each -> neighbours[each]).toArray(), sorted);
  }

  @Test
  void manyHeavyTailedWeights() {
    SplittableRandom random = new SplittableRandom(5);
    double[] weights = random.doubles(300_000).map(each -> Math.pow(each, -0.8) - 1).toArray();
    double[] ascending = weights.clone();
    Arrays.sort(ascending);
    for (double share : SHARES) {
      assertEquals(
          Quantiles.ofSorted(ascending, share),
          OrderStatistics.quantile(DoubleBuffer.wrap(weights), share));
    }
    WeightDiagnostics found = WeightDiagnostics.of(weights);
    double top = CompensatedSums.of(Arrays.copyOfRange(ascending, 297_000, 300_000));
    assertEquals(top / CompensatedSums.of(weights), found.topPercentShare(), 1e-13);
    assertEquals(Quantiles.ofSorted(ascending, 0.99), found.ninetyNinthPercentile());
  }

  @Test
  void equalWeightsShareTheTopAlike() {
    double[] weights = new double[100_000];
    Arrays.fill(weights, 1);
    WeightDiagnostics found = WeightDiagnostics.of(weights);
    assertEquals(0.01, found.topPercentShare(), 1e-15);
    assertEquals(1, found.median());
    assertEquals(100_000, found.effectiveSampleSize(), 1e-9);
  }

  private static void assertQuantiles(double[] numbers, int sorted) {
    double[] ascending = numbers.clone();
    Arrays.sort(ascending);
    double[] found = OrderStatistics.quantiles(Column.of(numbers), numbers.length, sorted, SHARES);
    for (int at = 0; at < SHARES.length; at++) {
      assertEquals(Quantiles.ofSorted(ascending, SHARES[at]), found[at]);
    }
  }
}
