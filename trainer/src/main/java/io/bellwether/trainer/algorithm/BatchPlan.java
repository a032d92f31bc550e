package io.bellwether.trainer.algorithm;

import io.bellwether.policy.scoring.CounterRandom;
import java.util.Arrays;

/**
 * Which rows form which batch: a pure function of the seed and the row ids.
 *
 * <p>Epoch {@code e} orders rows by {@code hash(seed, 900, e, rowId, 0)}; batches follow one
 * another through the epochs without a gap, so every batch is full and each row appears once per
 * epoch. Confined to one thread: it keeps the order of the current epoch.
 */
final class BatchPlan implements Batches {
  private static final long TAG = 900;

  private final long seed;
  private final long[] rowIds;
  private final int batchSize;
  private final long indexMask;
  private final int[] order;
  private long orderedEpoch = -1;

  /**
   * {@code rowIds} ascending: ties of the hash, which only equal leading bits can give, fall in
   * that order.
   */
  BatchPlan(long seed, long[] rowIds, int batchSize) {
    this.seed = seed;
    this.rowIds = rowIds;
    this.batchSize = batchSize;
    this.indexMask = Math.max(1, Integer.highestOneBit(rowIds.length) * 2L - 1);
    this.order = new int[rowIds.length];
  }

  @Override
  public void fill(long number, int[] rows) {
    long position = number * batchSize;
    for (int i = 0; i < batchSize; i++, position++) {
      orderFor(position / rowIds.length);
      rows[i] = order[(int) (position % rowIds.length)];
    }
  }

  /** Sorts hash and row number as one long: the number replaces the hash's last bits. */
  private void orderFor(long epoch) {
    if (epoch == orderedEpoch) {
      return;
    }
    long[] keys = new long[rowIds.length];
    for (int row = 0; row < keys.length; row++) {
      keys[row] = (CounterRandom.hash(seed, TAG, epoch, rowIds[row], 0) & ~indexMask) | row;
    }
    Arrays.sort(keys);
    for (int i = 0; i < keys.length; i++) {
      order[i] = (int) (keys[i] & indexMask);
    }
    orderedEpoch = epoch;
  }
}
