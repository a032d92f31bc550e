package io.bellwether.evaluation.experiment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.evaluation.interval.CounterRandom;
import io.bellwether.evaluation.interval.Normal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class AllocationTest {

  @Property
  void ofTwoTheChanceIsThatOfTheirDifference(
      @ForAll @DoubleRange(min = -2, max = 2) double mean,
      @ForAll @DoubleRange(min = 0.01, max = 3) double first,
      @ForAll @DoubleRange(min = 0.01, max = 3) double second) {
    double[] chances =
        Allocation.chancesToBeBest(
            List.of(NormalPosterior.flat(mean, first), NormalPosterior.flat(0, second)));
    double expected = Normal.cumulative(mean / Math.hypot(first, second));
    assertEquals(expected, chances[0], 1e-7);
  }

  @Test
  void chancesAreHowOftenADrawIsTheLargest() {
    List<NormalPosterior> variants =
        List.of(
            NormalPosterior.flat(0.10, 0.01),
            NormalPosterior.flat(0.11, 0.02),
            NormalPosterior.flat(0.08, 0.05),
            NormalPosterior.flat(0.115, 0.004));
    int draws = 20_000;
    double[] best = new double[4];
    CounterRandom random = new CounterRandom(17);
    for (int draw = 0; draw < draws; draw++) {
      int largest = 0;
      double value = Double.NEGATIVE_INFINITY;
      for (int variant = 0; variant < 4; variant++) {
        double z = Normal.quantile(random.uniform(0, draw, variant, 0) + 0x1p-54);
        NormalPosterior posterior = variants.get(variant);
        double drawn = posterior.mean() + z * posterior.standardDeviation();
        largest = drawn > value ? variant : largest;
        value = Math.max(value, drawn);
      }
      best[largest] += 1.0 / draws;
    }
    assertArrayEquals(best, Allocation.chancesToBeBest(variants), 4 * Math.sqrt(0.25 / draws));
  }

  @Property(tries = 40)
  void sharesAddUpAndKeepTheFloor(
      @ForAll @Size(min = 1, max = 12) List<@DoubleRange(min = -1, max = 1) Double> means,
      @ForAll @IntRange(min = 0, max = 800) int floor) {
    List<NormalPosterior> variants = new ArrayList<>();
    means.forEach(mean -> variants.add(NormalPosterior.flat(mean, 0.1 + mean * mean)));
    int[] shares = new Allocation(floor).shares(variants);
    assertEquals(Allocation.ALL, Arrays.stream(shares).sum());
    assertTrue(Arrays.stream(shares).allMatch(share -> share >= floor));
  }

  @Test
  void aClearWinnerGetsAllButTheFloors() {
    List<NormalPosterior> variants =
        List.of(
            NormalPosterior.flat(0, 0.01),
            NormalPosterior.flat(1, 0.01),
            NormalPosterior.flat(0, 5e-4));
    assertArrayEquals(new int[] {500, 9_000, 500}, new Allocation(500).shares(variants));
  }

  @Test
  void equalBeliefsShareEvenly() {
    NormalPosterior same = NormalPosterior.flat(3, 1);
    int[] shares = new Allocation(0).shares(List.of(same, same, same));
    assertArrayEquals(new int[] {3_334, 3_333, 3_333}, shares);
  }

  @Test
  void floorsThatExceedTheTrafficAreRefused() {
    NormalPosterior same = NormalPosterior.flat(3, 1);
    Allocation half = new Allocation(5_000);
    assertThrows(IllegalArgumentException.class, () -> half.shares(List.of(same, same, same)));
    assertThrows(IllegalArgumentException.class, () -> new Allocation(-1));
    assertThrows(IllegalArgumentException.class, () -> half.shares(List.of()));
  }
}
