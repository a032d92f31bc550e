package io.bellwether.loadtest.learning.statistics;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.evaluation.interval.Interval;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class RunsTest {
  private static final double ROUNDING = 1e-9;

  private final StratifiedBootstrap bootstrap = new StratifiedBootstrap(1, 200);

  @Test
  void theInterquartileMeanIsThatOfTheMiddleHalf() {
    Runs ten = new Runs(new double[][] {{1, 2, 3, 4, 5}, {6, 7, 8, 9, 1000}});
    assertEquals((3 + 4 + 5 + 6 + 7 + 8) / 6.0, ten.interquartileMean(), ROUNDING);
    assertEquals(4, new Runs(new double[][] {{-50, 3, 5, 90}}).interquartileMean(), ROUNDING);
    assertEquals(7, new Runs(new double[][] {{7}}).interquartileMean());
  }

  @Test
  void theOptimalityGapForgivesNothingForGoodRuns() {
    Runs runs = new Runs(new double[][] {{0.5, 3}, {1, 0}});
    assertEquals((0.5 + 0 + 0 + 1) / 4, runs.optimalityGap(1), ROUNDING);
  }

  @Test
  void improvementIsTheShareOfPairsThatAreWonTaskByTask() {
    Runs one = new Runs(new double[][] {{1, 3}, {5, 5}});
    Runs other = new Runs(new double[][] {{2, 2}, {5, 1}});
    assertEquals((0.5 + 0.75) / 2, one.improvementOver(other), ROUNDING);
  }

  @Test
  void aProfileIsTheShareOfRunsAbove() {
    Runs runs = new Runs(new double[][] {{1, 2}, {3, 4}});
    assertEquals(1, runs.shareAbove(0));
    assertEquals(0.5, runs.shareAbove(2));
    assertEquals(0, runs.shareAbove(4));
  }

  @Property(tries = 100)
  void twoAlgorithmsShareAllImprovementBetweenThem(
      @ForAll @Size(min = 1, max = 6) List<@DoubleRange(min = 0, max = 3) Double> first,
      @ForAll @Size(min = 1, max = 6) List<@DoubleRange(min = 0, max = 3) Double> second) {
    Runs one = new Runs(new double[][] {numbers(first), numbers(second)});
    Runs other = new Runs(new double[][] {numbers(second), numbers(first)});
    assertEquals(1, one.improvementOver(other) + other.improvementOver(one), ROUNDING);
    assertEquals(0.5, one.improvementOver(one), ROUNDING);
  }

  @Property(tries = 50)
  void aShiftOfAllRunsShiftsMeanAndInterval(
      @ForAll @Size(min = 2, max = 12) List<@DoubleRange(min = -3, max = 3) Double> scores,
      @ForAll @IntRange(min = -5, max = 5) int shift) {
    Runs runs = new Runs(new double[][] {numbers(scores)});
    Runs moved =
        new Runs(
            new double[][] {Arrays.stream(numbers(scores)).map(score -> score + shift).toArray()});
    assertEquals(runs.interquartileMean() + shift, moved.interquartileMean(), ROUNDING);
    Interval before = bootstrap.interval(runs, Runs::interquartileMean);
    Interval after = bootstrap.interval(moved, Runs::interquartileMean);
    assertEquals(before.lower() + shift, after.lower(), ROUNDING);
    assertEquals(before.upper() + shift, after.upper(), ROUNDING);
  }

  @Property(tries = 50)
  void theIntervalLiesWithinTheRuns(
      @ForAll @Size(min = 1, max = 12) List<@DoubleRange(min = -3, max = 3) Double> scores) {
    Runs runs = new Runs(new double[][] {numbers(scores), numbers(scores)});
    Interval interval = bootstrap.interval(runs, Runs::interquartileMean);
    double[] sorted = runs.ascending();
    assertTrue(sorted[0] - ROUNDING <= interval.lower());
    assertTrue(interval.upper() <= sorted[sorted.length - 1] + ROUNDING);
  }

  private static double[] numbers(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }

  /** Twenty runs of a task that is always at 10 say nothing about another that is at 0 to 1. */
  @Test
  void runsAreDrawnWithinTheirTask() {
    double[] high = new double[20];
    Arrays.fill(high, 10);
    Runs runs = new Runs(new double[][] {high, {0, 1, 0, 1}});
    Interval sizes = bootstrap.interval(runs, drawn -> drawn.shareAbove(5));
    assertEquals(20.0 / 24, sizes.lower(), ROUNDING);
    assertEquals(20.0 / 24, sizes.upper(), ROUNDING);
  }

  /** The mean of n equal bits has a standard error of 0.5 / √n. */
  @Test
  void theIntervalIsAsWideAsTheNoiseOfTheRuns() {
    double[] bits = new double[100];
    for (int i = 0; i < bits.length; i += 2) {
      bits[i] = 1;
    }
    Interval interval =
        new StratifiedBootstrap(3, 2_000)
            .interval(new Runs(new double[][] {bits}), drawn -> drawn.shareAbove(0.5));
    assertEquals(0.5 - 1.96 * 0.05, interval.lower(), 0.015);
    assertEquals(0.5 + 1.96 * 0.05, interval.upper(), 0.015);
  }

  @Test
  void runsWithTheSameSeedsAreDrawnTogether() {
    double[] scores = {0.1, 0.7, 0.3, 0.9, 0.2};
    double[] better = Arrays.stream(scores).map(score -> score + 1).toArray();
    Interval difference =
        bootstrap.interval(
            new Runs(new double[][] {better}),
            new Runs(new double[][] {scores}),
            (one, other) -> one.interquartileMean() - other.interquartileMean());
    assertEquals(1, difference.lower(), ROUNDING);
    assertEquals(1, difference.upper(), ROUNDING);
  }

  @Test
  void theSameSeedGivesTheSameInterval() {
    Runs runs = new Runs(new double[][] {{1, 2, 3}, {4, 5, 6}});
    assertEquals(
        bootstrap.interval(runs, Runs::interquartileMean),
        bootstrap.interval(runs, Runs::interquartileMean));
  }

  @Test
  void whatIsNoScoreIsRefused() {
    for (double[][] wrong : new double[][][] {{}, {{}}, {{1}, {Double.NaN}}}) {
      assertThrows(IllegalArgumentException.class, () -> new Runs(wrong));
    }
    Runs one = new Runs(new double[][] {{1}});
    assertThrows(
        IllegalArgumentException.class,
        () -> one.improvementOver(new Runs(new double[][] {{1}, {1}})));
    double[][] mine = {{1, 2}};
    Runs copied = new Runs(mine);
    mine[0][0] = 9;
    assertArrayEquals(new double[] {1, 2}, copied.ascending());
  }
}
