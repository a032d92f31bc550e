package io.bellwether.ingestion.metrics;

import io.bellwether.ingestion.event.Buckets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A distribution to which values are added and from which they are taken: state of {@link
 * PoolNumbers}, public and with public fields so that Flink serializes it. Only the first {@link
 * #size} places of the arrays are in use. Confined to its task's thread.
 */
public final class Histogram {

  private static final int FIRST_CAPACITY = 8;

  /** How many buckets are not empty. */
  public int size;

  /** As {@link LogBuckets} numbers them, ascending. */
  public int[] buckets = new int[FIRST_CAPACITY];

  /** Values per bucket, never 0. */
  public long[] counts = new long[FIRST_CAPACITY];

  /** {@code [4, capacity]}: sums, what they lost, sums of squares, what they lost. */
  public double[] sums = new double[4 * FIRST_CAPACITY];

  /** One that is empty; also for Flink. */
  public Histogram() {}

  /** Adds a value so many times, or takes it away where that is negative. */
  void add(double value, long times) {
    int bucket = LogBuckets.indexOf(value);
    int place = Arrays.binarySearch(buckets, 0, size, bucket);
    if (place < 0) {
      place = -place - 1;
      insert(place, bucket);
    }
    counts[place] += times;
    if (counts[place] == 0) {
      remove(place);
      return;
    }
    int capacity = buckets.length;
    add(place, times * value);
    add(2 * capacity + place, times * value * value);
  }

  private void add(int index, double value) {
    double before = sums[index];
    double after = before + value;
    sums[index + buckets.length] +=
        Math.abs(before) >= Math.abs(value) ? (before - after) + value : (value - after) + before;
    sums[index] = after;
  }

  private void insert(int place, int bucket) {
    if (size == buckets.length) {
      grow();
    }
    int capacity = buckets.length;
    System.arraycopy(buckets, place, buckets, place + 1, size - place);
    System.arraycopy(counts, place, counts, place + 1, size - place);
    for (int row = 0; row < 4; row++) {
      int from = row * capacity + place;
      System.arraycopy(sums, from, sums, from + 1, size - place);
      sums[from] = 0;
    }
    buckets[place] = bucket;
    counts[place] = 0;
    size++;
  }

  private void remove(int place) {
    int capacity = buckets.length;
    int after = size - place - 1;
    System.arraycopy(buckets, place + 1, buckets, place, after);
    System.arraycopy(counts, place + 1, counts, place, after);
    for (int row = 0; row < 4; row++) {
      int to = row * capacity + place;
      System.arraycopy(sums, to + 1, sums, to, after);
    }
    size--;
  }

  private void grow() {
    int capacity = buckets.length;
    double[] more = new double[8 * capacity];
    for (int row = 0; row < 4; row++) {
      System.arraycopy(sums, row * capacity, more, row * 2 * capacity, size);
    }
    sums = more;
    buckets = Arrays.copyOf(buckets, 2 * capacity);
    counts = Arrays.copyOf(counts, 2 * capacity);
  }

  /** As an event. */
  Buckets named(String column) {
    List<Integer> indices = new ArrayList<>(size);
    List<Long> numbers = new ArrayList<>(size);
    List<Double> totals = new ArrayList<>(size);
    List<Double> squares = new ArrayList<>(size);
    int capacity = buckets.length;
    for (int place = 0; place < size; place++) {
      indices.add(buckets[place]);
      numbers.add(counts[place]);
      totals.add(sums[place] + sums[capacity + place]);
      squares.add(sums[2 * capacity + place] + sums[3 * capacity + place]);
    }
    return new Buckets(column, indices, numbers, totals, squares);
  }
}
