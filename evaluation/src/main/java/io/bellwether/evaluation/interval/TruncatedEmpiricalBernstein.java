package io.bellwether.evaluation.interval;

import io.bellwether.evaluation.CompensatedSums;
import java.util.Arrays;
import java.util.OptionalDouble;

/**
 * A lower bound of the mean of values at least 0 of any size: the {@link EmpiricalBernstein} bound
 * of the values cut at a cap, which is at most the mean of the uncut ones. The cap is the one with
 * the best expected bound on a twentieth of the units, which take no further part, so that the
 * choice costs no validity.
 *
 * <p>Call {@link #add} once per independent unit (not per row where a unit has several); memory is
 * constant. Whether a unit is held out depends on (seed, unit) alone. Confined to one thread; parts
 * are joined with {@link #merge}.
 */
public final class TruncatedEmpiricalBernstein {
  private static final double HELD_OUT_SHARE = 0.05;
  private static final long TAG = 0x74727563L;

  /** In units of the largest reward: what a weight is cut at where all rewards are the largest. */
  private static final double[] CAPS = {
    0.5, 1, 1.5, 2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1000
  };

  private final CounterRandom random;
  private final double scale;
  private final CappedMoments heldOut = new CappedMoments();
  private final CappedMoments kept = new CappedMoments();

  /**
   * @param seed what makes the choice of held-out units repeatable
   * @param scale the largest reward that is possible, from which the candidate caps follow; an
   *     error here makes the bound loose, never invalid
   */
  public TruncatedEmpiricalBernstein(long seed, double scale) {
    if (!(scale > 0)) {
      throw new IllegalArgumentException("no scale: " + scale);
    }
    random = new CounterRandom(seed);
    this.scale = scale;
  }

  /** Adds an independent unit's value, at least 0. */
  public void add(long unit, double value) {
    if (!(value >= 0)) {
      throw new IllegalArgumentException("only values from 0 on can be cut, found " + value);
    }
    boolean chooses = random.uniform(TAG, unit, 0, 0) < HELD_OUT_SHARE;
    (chooses ? heldOut : kept).add(value);
  }

  public void merge(TruncatedEmpiricalBernstein other) {
    if (!random.equals(other.random) || scale != other.scale) {
      throw new IllegalArgumentException("bounds of different seeds or scales cannot be joined");
    }
    heldOut.merge(other.heldOut);
    kept.merge(other.kept);
  }

  /** The chosen cap; empty with fewer than two units on either side of the split. */
  public OptionalDouble cap(double alpha) {
    int chosen = chosen(alpha);
    return chosen < 0 ? OptionalDouble.empty() : OptionalDouble.of(scale * CAPS[chosen]);
  }

  /**
   * A value that exceeds the true mean with probability at most alpha; may be below 0, which says
   * that the sample is too small. Empty with fewer than two units on either side of the split.
   */
  public OptionalDouble lower(double alpha) {
    int chosen = chosen(alpha);
    return chosen < 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(kept.bound(chosen, kept.count).lower(alpha));
  }

  private int chosen(double alpha) {
    if (heldOut.count < 2 || kept.count < 2) {
      return -1;
    }
    int best = 0;
    for (int cap = 1; cap < CAPS.length; cap++) {
      if (heldOut.bound(cap, kept.count).lower(alpha)
          > heldOut.bound(best, kept.count).lower(alpha)) {
        best = cap;
      }
    }
    return best;
  }

  /**
   * Counts, sums and sums of squares of the values between one cap and the next: a value costs one
   * of them, and the moments of the values cut at a cap are sums over those below it.
   */
  private final class CappedMoments {
    private final long[] counts = new long[CAPS.length + 1];
    private final CompensatedSums sums = new CompensatedSums(CAPS.length + 1);
    private final CompensatedSums squares = new CompensatedSums(CAPS.length + 1);
    private long count;

    void add(double value) {
      int above = 0;
      while (above < CAPS.length && value > scale * CAPS[above]) {
        above++;
      }
      count++;
      counts[above]++;
      sums.add(above, value);
      squares.add(above, value * value);
    }

    void merge(CappedMoments other) {
      count += other.count;
      Arrays.setAll(counts, each -> counts[each] + other.counts[each]);
      sums.merge(other.sums);
      squares.merge(other.squares);
    }

    /** What a sample of that size with these moments would give. */
    EmpiricalBernstein bound(int cap, long size) {
      double cut = scale * CAPS[cap];
      CompensatedSums moments = new CompensatedSums(2);
      long below = 0;
      for (int each = 0; each <= cap; each++) {
        below += counts[each];
        moments.add(0, sums.get(each));
        moments.add(1, squares.get(each));
      }
      moments.add(0, (count - below) * cut);
      moments.add(1, (count - below) * cut * cut);
      double mean = moments.get(0) / count;
      double variance = Math.max(0, moments.get(1) - count * mean * mean) / (count - 1);
      return new EmpiricalBernstein(size, mean, variance, cut);
    }
  }
}
