package io.bellwether.evaluation.experiment;

import io.bellwether.evaluation.CompensatedSums;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;

/**
 * A distribution by buckets in ascending order, each with what fell into it. Merged by addition.
 * Immutable. A bucket stands for its mean, so a quantile is off by at most a bucket's width and
 * exact where each bucket holds one value.
 *
 * @param uppers [buckets], the largest value that belongs to each, ascending; not to be written to
 * @param counts [buckets], values; not to be written to
 * @param sums [buckets], of the values; not to be written to
 * @param squares [buckets], sums of the squared values; not to be written to
 */
@SuppressWarnings("ArrayRecordComponent") // merged, not compared
public record Distribution(double[] uppers, long[] counts, double[] sums, double[] squares) {

  public Distribution {
    int buckets = uppers.length;
    if (counts.length != buckets || sums.length != buckets || squares.length != buckets) {
      throw new IllegalArgumentException(
          "%d uppers, %d counts, %d sums, %d squares"
              .formatted(buckets, counts.length, sums.length, squares.length));
    }
    for (int bucket = 0; bucket < buckets; bucket++) {
      if (counts[bucket] < 0 || (bucket > 0 && !(uppers[bucket] > uppers[bucket - 1]))) {
        throw new IllegalArgumentException(
            "bucket %d ends at %s with %d values"
                .formatted(bucket, uppers[bucket], counts[bucket]));
      }
    }
    uppers = uppers.clone();
    counts = counts.clone();
    sums = sums.clone();
    squares = squares.clone();
  }

  /** Of no value. */
  public static Distribution empty() {
    return new Distribution(new double[0], new long[0], new double[0], new double[0]);
  }

  /** One bucket per distinct value; each is a number. */
  public static Distribution of(double... values) {
    // Adding zero makes the two zeros one value.
    double[] ascending = Arrays.stream(values).map(value -> value + 0.0).sorted().toArray();
    if (ascending.length > 0 && Double.isNaN(ascending[ascending.length - 1])) {
      throw new IllegalArgumentException("a value is no number");
    }
    double[] uppers = Arrays.stream(ascending).distinct().toArray();
    long[] counts = new long[uppers.length];
    int bucket = 0;
    for (double value : ascending) {
      if (value != uppers[bucket]) {
        bucket++;
      }
      counts[bucket]++;
    }
    double[] sums = new double[uppers.length];
    double[] squares = new double[uppers.length];
    for (int index = 0; index < uppers.length; index++) {
      sums[index] = counts[index] * uppers[index];
      squares[index] = sums[index] * uppers[index];
    }
    return new Distribution(uppers, counts, sums, squares);
  }

  /** Of these values and those of the other; buckets with the same upper end become one. */
  public Distribution plus(Distribution other) {
    Merge merge = new Merge(uppers.length + other.uppers.length);
    int mine = 0;
    int theirs = 0;
    while (mine < uppers.length || theirs < other.uppers.length) {
      if (theirs == other.uppers.length
          || (mine < uppers.length && uppers[mine] <= other.uppers[theirs])) {
        merge.take(this, mine++);
      } else {
        merge.take(other, theirs++);
      }
    }
    return merge.distribution();
  }

  /** How many values are in. */
  public long count() {
    return Arrays.stream(counts).sum();
  }

  public boolean finite() {
    return Arrays.stream(uppers).allMatch(Double::isFinite)
        && Arrays.stream(sums).allMatch(Double::isFinite)
        && Arrays.stream(squares).allMatch(Double::isFinite);
  }

  /** The mean; empty for no value. */
  public OptionalDouble mean() {
    long count = count();
    return count == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(Arrays.stream(sums).sum() / count);
  }

  /** The value at rank ⌈share·count⌉ of the ascending values, share in (0, 1); empty for none. */
  public OptionalDouble quantile(double share) {
    if (!(share > 0 && share < 1)) {
      throw new IllegalArgumentException("a share lies in (0, 1), found " + share);
    }
    long count = count();
    return count == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(atRank((long) Math.ceil(count * share)));
  }

  /** The value of that 1-based rank, in [1, count], among the ascending values. */
  double atRank(long rank) {
    long below = 0;
    for (int bucket = 0; bucket < counts.length; bucket++) {
      below += counts[bucket];
      if (below >= rank) {
        return sums[bucket] / counts[bucket];
      }
    }
    throw new IllegalArgumentException("no rank %d among %d values".formatted(rank, below));
  }

  /**
   * The quantile by linear interpolation between the neighbouring ranks (Hyndman and Fan's type 7),
   * share in [0, 1], of at least one value.
   */
  double interpolated(double share) {
    double rank = 1 + share * (count() - 1);
    long below = (long) Math.floor(rank);
    double lower = atRank(below);
    return below == rank ? lower : lower + (rank - below) * (atRank(below + 1) - lower);
  }

  /** What becomes of the values when those above the cap are set to it. */
  Capped capped(double cap) {
    CompensatedSums totals = new CompensatedSums(2);
    long cut = 0;
    for (int bucket = 0; bucket < counts.length; bucket++) {
      if (sums[bucket] > cap * counts[bucket]) {
        cut += counts[bucket];
      } else {
        totals.add(0, sums[bucket]);
        totals.add(1, squares[bucket]);
      }
    }
    totals.add(0, cut * cap);
    totals.add(1, cut * cap * cap);
    Moments moments =
        new Moments(
            List.of("capped"), count(), new double[] {totals.get(0)}, new double[] {totals.get(1)});
    return new Capped(moments, cut);
  }

  /**
   * Values of which none is above a cap.
   *
   * @param cut how many were
   */
  record Capped(Moments moments, long cut) {

    double cutShare() {
      return (double) cut / moments.units();
    }

    Side side() {
      long units = moments.units();
      if (units < 2) {
        return Side.withoutError(
            units, units == 0 ? OptionalDouble.empty() : OptionalDouble.of(moments.mean(0)));
      }
      return Side.ofMean(units, moments.mean(0), moments.covariance(0, 0));
    }
  }

  private static final class Merge {
    private final double[] uppers;
    private final long[] counts;
    private final double[] sums;
    private final double[] squares;
    private int size;

    Merge(int atMost) {
      uppers = new double[atMost];
      counts = new long[atMost];
      sums = new double[atMost];
      squares = new double[atMost];
    }

    void take(Distribution from, int bucket) {
      if (size == 0 || uppers[size - 1] != from.uppers[bucket]) {
        uppers[size++] = from.uppers[bucket];
      }
      counts[size - 1] += from.counts[bucket];
      sums[size - 1] += from.sums[bucket];
      squares[size - 1] += from.squares[bucket];
    }

    Distribution distribution() {
      return new Distribution(
          Arrays.copyOf(uppers, size),
          Arrays.copyOf(counts, size),
          Arrays.copyOf(sums, size),
          Arrays.copyOf(squares, size));
    }
  }
}
