package io.bellwether.trainer.algorithm;

import java.util.Arrays;

/**
 * Batches of which exactly one half is of one part of the rows and the other of the rest, however
 * large the parts are; each part goes by epochs of its own. Confined to one thread.
 */
final class HalvedBatches implements Batches {
  private final int[][] parts;
  private final BatchPlan[] plans;
  private final int[] half;

  /** {@code first}: per row, whether it is of the first half; some rows of each are needed. */
  HalvedBatches(long seed, long[] rowIds, boolean[] first, int batchSize) {
    if (first.length != rowIds.length || batchSize % 2 != 0) {
      throw new IllegalArgumentException(
          "%d marks for %d rows, in batches of %d"
              .formatted(first.length, rowIds.length, batchSize));
    }
    this.parts = new int[][] {rowsOf(first, true), rowsOf(first, false)};
    this.plans = new BatchPlan[parts.length];
    this.half = new int[batchSize / 2];
    for (int part = 0; part < parts.length; part++) {
      if (parts[part].length == 0) {
        throw new InvalidLearnerDataException("one half of every batch would have no rows");
      }
      long[] ids = Arrays.stream(parts[part]).mapToLong(row -> rowIds[row]).toArray();
      plans[part] = new BatchPlan(seed, ids, half.length);
    }
  }

  private static int[] rowsOf(boolean[] marks, boolean wanted) {
    int[] rows = new int[marks.length];
    int count = 0;
    for (int row = 0; row < marks.length; row++) {
      if (marks[row] == wanted) {
        rows[count++] = row;
      }
    }
    return Arrays.copyOf(rows, count);
  }

  @Override
  public void fill(long number, int[] rows) {
    for (int part = 0; part < parts.length; part++) {
      plans[part].fill(number, half);
      for (int i = 0; i < half.length; i++) {
        rows[part * half.length + i] = parts[part][half[i]];
      }
    }
  }
}
