package io.bellwether.trainer.algorithm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class BatchPlanTest {

  @Property(tries = 50)
  void eachRowAppearsOncePerEpochWhateverTheBatchSize(
      @ForAll @IntRange(min = 1, max = 70) int rows,
      @ForAll @IntRange(min = 1, max = 30) int batchSize,
      @ForAll long seed) {
    int[] counts = new int[rows];
    int epochs = batchSize;
    BatchPlan plan = new BatchPlan(seed, ids(rows), batchSize);
    int[] batch = new int[batchSize];
    for (int number = 0; number < rows * epochs / batchSize; number++) {
      plan.fill(number, batch);
      for (int row : batch) {
        counts[row]++;
      }
    }
    int[] expected = new int[rows];
    Arrays.fill(expected, epochs);
    assertArrayEquals(expected, counts);
  }

  @Test
  void aBatchDependsOnItsNumberAndNotOnTheOnesBefore() {
    int[] straight = new int[8];
    int[] jumped = new int[8];
    BatchPlan plan = new BatchPlan(3, ids(20), 8);
    for (int number = 0; number <= 9; number++) {
      plan.fill(number, straight);
    }
    new BatchPlan(3, ids(20), 8).fill(9, jumped);
    assertArrayEquals(straight, jumped);
  }

  @Test
  void epochsAndSeedsHaveOrdersOfTheirOwn() {
    int[] first = new int[50];
    int[] second = new int[50];
    int[] other = new int[50];
    BatchPlan plan = new BatchPlan(3, ids(50), 50);
    plan.fill(0, first);
    plan.fill(1, second);
    new BatchPlan(4, ids(50), 50).fill(0, other);
    assertFalse(Arrays.equals(first, second));
    assertFalse(Arrays.equals(first, other));
  }

  private static long[] ids(int rows) {
    long[] ids = new long[rows];
    Arrays.setAll(ids, row -> row * 31L - 1000);
    return ids;
  }
}
