package io.bellwether.evaluation.interval;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Adjustments of p-values for several questions asked of one log: reject where the adjusted value
 * is at most the error that one accepts. The first four bound the chance of any false rejection
 * (for gates), the last two the expected share of false ones among the rejections (for
 * exploration).
 *
 * <p>Sources: Holm, "A Simple Sequentially Rejective Multiple Test Procedure", 1979; Hochberg, "A
 * Sharper Bonferroni Procedure", 1988; Benjamini and Hochberg, "Controlling the False Discovery
 * Rate", 1995; Benjamini and Yekutieli, "The Control of the False Discovery Rate in Multiple
 * Testing under Dependency", 2001.
 */
public enum MultipleComparisons {
  /** Valid whatever the dependence. */
  BONFERRONI {
    @Override
    double single(double p, int rank, int count) {
      return p * count;
    }
  },

  /** Valid for independent p-values. */
  SIDAK {
    @Override
    double single(double p, int rank, int count) {
      return -Math.expm1(count * Math.log1p(-p));
    }
  },

  /** Valid whatever the dependence and never worse than Bonferroni. */
  HOLM {
    @Override
    double single(double p, int rank, int count) {
      return p * (count - rank);
    }
  },

  /** Valid for independent or positively dependent p-values. */
  HOCHBERG {
    @Override
    double single(double p, int rank, int count) {
      return p * (count - rank);
    }

    @Override
    boolean fromLargest() {
      return true;
    }
  },

  /** Valid for independent or positively dependent p-values. */
  BENJAMINI_HOCHBERG {
    @Override
    double single(double p, int rank, int count) {
      return p * count / (rank + 1);
    }

    @Override
    boolean fromLargest() {
      return true;
    }
  },

  /** Valid whatever the dependence. */
  BENJAMINI_YEKUTIELI {
    @Override
    double single(double p, int rank, int count) {
      double harmonic = 0;
      for (int term = count; term >= 1; term--) {
        harmonic += 1.0 / term;
      }
      return p * count * harmonic / (rank + 1);
    }

    @Override
    boolean fromLargest() {
      return true;
    }
  };

  /** The adjusted p-values in the order of the given ones, each in [0, 1]. */
  public double[] adjust(double[] p) {
    if (!Arrays.stream(p).allMatch(value -> value >= 0 && value <= 1)) {
      throw new IllegalArgumentException("p-values lie in [0, 1]: " + Arrays.toString(p));
    }
    int[] ascending =
        IntStream.range(0, p.length)
            .boxed()
            .sorted(Comparator.comparingDouble(index -> p[index]))
            .mapToInt(Integer::intValue)
            .toArray();
    double[] adjusted = new double[p.length];
    for (int rank = 0; rank < p.length; rank++) {
      adjusted[rank] = Math.min(1, single(p[ascending[rank]], rank, p.length));
    }
    makeMonotone(adjusted);
    double[] inOrder = new double[p.length];
    for (int rank = 0; rank < p.length; rank++) {
      inOrder[ascending[rank]] = adjusted[rank];
    }
    return inOrder;
  }

  /** The value that a p-value of that 0-based ascending rank gets on its own; may exceed 1. */
  abstract double single(double p, int rank, int count);

  /** Whether a smaller p-value is never adjusted above a larger one's, or the other way round. */
  boolean fromLargest() {
    return false;
  }

  private void makeMonotone(double[] adjusted) {
    if (fromLargest()) {
      for (int rank = adjusted.length - 2; rank >= 0; rank--) {
        adjusted[rank] = Math.min(adjusted[rank], adjusted[rank + 1]);
      }
      return;
    }
    for (int rank = 1; rank < adjusted.length; rank++) {
      adjusted[rank] = Math.max(adjusted[rank], adjusted[rank - 1]);
    }
  }
}
