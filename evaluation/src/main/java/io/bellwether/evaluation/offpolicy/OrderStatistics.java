package io.bellwether.evaluation.offpolicy;

import java.nio.DoubleBuffer;
import java.util.Arrays;

/**
 * Exact order statistics without a sorted copy: radix selection over the bits of the numbers, in as
 * many passes as it takes until few candidates are left, which are then sorted. Memory does not
 * depend on how many numbers there are.
 *
 * <p>The order is that of {@link Double#compare}. Confined to one thread; its passes are parallel.
 */
public final class OrderStatistics {

  /*
   * A key is the number's 64 bits, changed so that unsigned order is the order of numbers. All keys
   * that begin with the same bits form a group. A wanted rank lies in one group, at a rank within
   * it; each pass counts the next DIGIT bits in the groups that hold a wanted rank.
   */

  private static final int DIGIT = 11;

  /** So many candidates are sorted rather than counted: half a mebibyte. */
  private static final int SORTED = 65_536;

  private final Column column;
  private final int sorted;

  /** Per wanted rank: the bits of its key that are known, and its rank among those keys. */
  private final long[] prefix;

  private final long[] rank;
  private int unknownBits = Long.SIZE;

  private OrderStatistics(Column column, int sorted, long[] ranks) {
    this.column = column;
    this.sorted = sorted;
    prefix = new long[ranks.length];
    rank = ranks.clone();
  }

  /**
   * The sample quantile of at least one number by linear interpolation (type 7).
   *
   * @param share in [0, 1]
   */
  public static double quantile(DoubleBuffer values, double share) {
    return quantiles(Column.of(values), values.limit(), share)[0];
  }

  static double[] quantiles(Column column, long count, double... shares) {
    return quantiles(column, count, SORTED, shares);
  }

  /**
   * Sample quantiles of type 7.
   *
   * @param count of the column's numbers, at least 1
   * @param sorted most candidates that are sorted
   */
  static double[] quantiles(Column column, long count, int sorted, double... shares) {
    double[] values = of(column, count, sorted, ranks(count, shares));
    double[] quantiles = new double[shares.length];
    Arrays.setAll(quantiles, at -> between(values, at, shares[at] * (count - 1)));
    return quantiles;
  }

  /** Sample quantiles of type 7 and, after them, the {@code top}-th largest number. */
  static double[] quantilesAndTop(Column column, long count, long top, double... shares) {
    long[] ranks = Arrays.copyOf(ranks(count, shares), 2 * shares.length + 1);
    ranks[2 * shares.length] = count - top;
    double[] values = of(column, count, SORTED, ranks);
    double[] found = new double[shares.length + 1];
    for (int at = 0; at < shares.length; at++) {
      found[at] = between(values, at, shares[at] * (count - 1));
    }
    found[shares.length] = values[2 * shares.length];
    return found;
  }

  /** Per share the rank at or below its place, and the next one. */
  private static long[] ranks(long count, double[] shares) {
    long[] ranks = new long[2 * shares.length];
    for (int at = 0; at < shares.length; at++) {
      ranks[2 * at] = (long) Math.floor(shares[at] * (count - 1));
      ranks[2 * at + 1] = Math.min(ranks[2 * at] + 1, count - 1);
    }
    return ranks;
  }

  private static double between(double[] values, int at, double place) {
    double below = values[2 * at];
    return below + (place - Math.floor(place)) * (values[2 * at + 1] - below);
  }

  private static double[] of(Column column, long count, int sorted, long[] ranks) {
    return new OrderStatistics(column, sorted, ranks).select(count);
  }

  private double[] select(long count) {
    long candidates = count;
    while (candidates > sorted && unknownBits > 0) {
      candidates = narrow();
    }
    if (unknownBits > 0) {
      return amongSorted((int) candidates);
    }
    return Arrays.stream(prefix).mapToDouble(OrderStatistics::number).toArray();
  }

  /** Makes another digit known and says how many candidates are left. */
  private long narrow() {
    long[] groups = groups();
    int digit = Math.min(DIGIT, unknownBits);
    int shift = unknownBits - digit;
    long mask = (1L << digit) - 1;
    int width = 1 << digit;
    long[] counts =
        column.reduce(
            () -> new long[groups.length * width],
            (part, value) -> {
              long key = key(value);
              int group = groupOf(key, groups);
              if (group >= 0) {
                part[group * width + (int) ((key >>> shift) & mask)]++;
              }
            },
            OrderStatistics::sum);
    for (int wanted = 0; wanted < prefix.length; wanted++) {
      int from = Arrays.binarySearch(groups, prefix[wanted]) * width;
      int at = 0;
      while (rank[wanted] >= counts[from + at]) {
        rank[wanted] -= counts[from + at];
        at++;
      }
      prefix[wanted] = prefix[wanted] << digit | at;
    }
    unknownBits = shift;
    long left = 0;
    for (long group : groups()) {
      int from = Arrays.binarySearch(groups, group >>> digit) * width;
      left += counts[from + (int) (group & mask)];
    }
    return left;
  }

  private double[] amongSorted(int candidates) {
    long[] groups = groups();
    Keys keys =
        column.reduce(
            Keys::new,
            (part, value) -> {
              long key = key(value);
              if (groupOf(key, groups) >= 0) {
                part.add(key);
              }
            },
            Keys::join);
    long[] ascending = keys.ascending(candidates);
    double[] values = new double[prefix.length];
    for (int wanted = 0; wanted < values.length; wanted++) {
      long before = 0;
      for (long key : ascending) {
        before += Long.compareUnsigned(prefixOf(key), prefix[wanted]) < 0 ? 1 : 0;
      }
      values[wanted] = number(ascending[(int) (before + rank[wanted])]);
    }
    return values;
  }

  /** The distinct prefixes, ascending as signed numbers. */
  private long[] groups() {
    return Arrays.stream(prefix).sorted().distinct().toArray();
  }

  private int groupOf(long key, long[] groups) {
    long of = prefixOf(key);
    for (int group = 0; group < groups.length; group++) {
      if (groups[group] == of) {
        return group;
      }
    }
    return -1;
  }

  private long prefixOf(long key) {
    return unknownBits == Long.SIZE ? 0 : key >>> unknownBits;
  }

  private static long key(double value) {
    long bits = Double.doubleToLongBits(value);
    return bits ^ (bits >> (Long.SIZE - 1) | Long.MIN_VALUE);
  }

  private static double number(long key) {
    return Double.longBitsToDouble(key < 0 ? key ^ Long.MIN_VALUE : ~key);
  }

  private static long[] sum(long[] left, long[] right) {
    for (int at = 0; at < left.length; at++) {
      left[at] += right[at];
    }
    return left;
  }

  /** Collected keys. */
  private static final class Keys {
    private long[] keys = new long[16];
    private int size;

    void add(long key) {
      if (size == keys.length) {
        keys = Arrays.copyOf(keys, 2 * size);
      }
      keys[size++] = key;
    }

    Keys join(Keys other) {
      for (int at = 0; at < other.size; at++) {
        add(other.keys[at]);
      }
      return this;
    }

    /** All of them in unsigned order. */
    long[] ascending(int expected) {
      if (size != expected) {
        throw new IllegalStateException(
            "%d candidates, %d were counted: the column changed".formatted(size, expected));
      }
      long[] signed = new long[size];
      for (int at = 0; at < size; at++) {
        signed[at] = keys[at] ^ Long.MIN_VALUE;
      }
      Arrays.sort(signed);
      for (int at = 0; at < size; at++) {
        signed[at] ^= Long.MIN_VALUE;
      }
      return signed;
    }
  }
}
