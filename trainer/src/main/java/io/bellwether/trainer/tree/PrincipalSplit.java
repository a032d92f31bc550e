package io.bellwether.trainer.tree;

import io.bellwether.policy.scoring.CounterRandom;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Builds a tree of items by their vectors: the items below a node are cut in two along the
 * direction in which they differ most, and the halves again, until there is a part for each child.
 *
 * <p>The same vectors and seed give the same tree; of items with equal vectors the one with the
 * smaller number comes first. Time is that of sorting all items once per halving: seconds for a
 * million. Memory beside the vectors: 16 bytes per item.
 */
public final class PrincipalSplit {

  private static final long TAG = 941;
  private static final int SAMPLE = 512;
  private static final int ITERATIONS = 12;

  private final float[] vectors;
  private final int width;
  private final long seed;
  private final int[] order;
  private final long[] keys;
  private final ItemTree shape;

  private PrincipalSplit(float[] vectors, int width, int arity, long seed) {
    this.vectors = vectors;
    this.width = width;
    this.seed = seed;
    order = IntStream.range(0, vectors.length / width).toArray();
    keys = new long[order.length];
    shape = new ItemTree(arity, order.clone());
  }

  /**
   * A tree.
   *
   * @param vectors {@code vectors[item * width + column]}, finite, columns of comparable size
   * @param arity most children of a node, at least 2
   */
  public static ItemTree build(float[] vectors, int width, int arity, long seed) {
    if (width < 1 || vectors.length % width != 0) {
      throw new IllegalArgumentException(vectors.length + " numbers are no vectors of " + width);
    }
    for (float value : vectors) {
      if (!Float.isFinite(value)) {
        throw new IllegalArgumentException("an item's vector holds " + value);
      }
    }
    PrincipalSplit split = new PrincipalSplit(vectors, width, arity, seed);
    // The children of the last inner nodes are single items, whose order means nothing.
    for (int level = 0; level < split.shape.depth() - 1; level++) {
      for (long node = 0; node < split.shape.width(level); node++) {
        split.cut(level + 1, node * arity, arity);
      }
    }
    return new ItemTree(arity, split.order);
  }

  /** Brings the items of some neighbouring nodes of a level into those nodes. */
  private void cut(int level, long first, int count) {
    int from = shape.from(level, first);
    int to = shape.to(level, first + count - 1);
    if (count == 1 || to - from < 2) {
      return;
    }
    sort(from, to, axis(level, first, from, to));
    int half = count / 2;
    cut(level, first, half);
    cut(level, first + half, count - half);
  }

  private void sort(int from, int to, double[] axis) {
    for (int position = from; position < to; position++) {
      int item = order[position];
      double along = 0;
      for (int column = 0; column < width; column++) {
        along += axis[column] * vectors[item * width + column];
      }
      int bits = Float.floatToIntBits((float) along + 0f);
      int ascending = bits ^ ((bits >> 31) & Integer.MAX_VALUE);
      keys[position] = ((long) ascending << 32) | item;
    }
    Arrays.sort(keys, from, to);
    for (int position = from; position < to; position++) {
      order[position] = (int) keys[position];
    }
  }

  /** The first principal axis of some of the items, by power iteration; any axis of equal ones. */
  private double[] axis(int level, long node, int from, int to) {
    int count = Math.min(SAMPLE, to - from);
    double[] mean = new double[width];
    for (int i = 0; i < count; i++) {
      int item = sampled(from, to, i, count);
      for (int column = 0; column < width; column++) {
        mean[column] += (double) vectors[item * width + column] / count;
      }
    }
    double[] axis = new double[width];
    for (int column = 0; column < width; column++) {
      axis[column] = CounterRandom.normal(seed, TAG, level, node, column);
    }
    for (int iteration = 0; iteration < ITERATIONS; iteration++) {
      double[] next = new double[width];
      for (int i = 0; i < count; i++) {
        int at = sampled(from, to, i, count) * width;
        double along = 0;
        for (int column = 0; column < width; column++) {
          along += axis[column] * (vectors[at + column] - mean[column]);
        }
        for (int column = 0; column < width; column++) {
          next[column] += along * (vectors[at + column] - mean[column]);
        }
      }
      double norm = Math.sqrt(Arrays.stream(next).map(x -> x * x).sum());
      if (!(norm > 1e-12)) {
        return axis;
      }
      for (int column = 0; column < width; column++) {
        axis[column] = next[column] / norm;
      }
    }
    return axis;
  }

  private int sampled(int from, int to, int index, int count) {
    return order[from + (int) ((long) index * (to - from) / count)];
  }
}
