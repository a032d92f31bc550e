package io.bellwether.evaluation.offpolicy;

import io.bellwether.evaluation.CompensatedSums;
import io.bellwether.evaluation.interval.Interval;
import io.bellwether.evaluation.interval.Quantiles;
import java.util.Arrays;
import java.util.List;

/**
 * How far the importance weights of a log can be trusted.
 *
 * <p>A mean weight near 1 is necessary and proves little: heavy tails widen its own error. The
 * effective sample size and the largest share decide.
 *
 * @param meanWeight 1 in expectation where propensities are right and overlap holds
 * @param meanWeightZ (mean − 1) / its standard error, cut at ±1e6; 0 where all weights are equal to
 *     1
 * @param meanWeightInterval 95 % normal interval
 * @param effectiveSampleSize (Σw)² / Σw²: how many unweighted decisions the weighted ones are worth
 * @param largestShare max w / Σw, 0 where Σw is 0
 * @param topPercentShare share of Σw held by the largest 1 % of weights (at least one)
 * @param zeros how many weights are exactly 0
 * @param histogram counts of w in (0, 1e-3), [1e-3, 1e-2), …, [1e3, 1e4), [1e4, ∞)
 */
public record WeightDiagnostics(
    long decisions,
    double meanWeight,
    double meanWeightZ,
    Interval meanWeightInterval,
    double effectiveSampleSize,
    double largest,
    double largestShare,
    double topPercentShare,
    double median,
    double ninetiethPercentile,
    double ninetyNinthPercentile,
    long zeros,
    List<Long> histogram) {
  private static final double LARGEST_Z = 1e6;
  private static final double[] EDGES = {1e-3, 1e-2, 1e-1, 1, 1e1, 1e2, 1e3, 1e4};

  public WeightDiagnostics {
    histogram = List.copyOf(histogram);
  }

  /** Diagnostics of at least one finite weight. */
  public static WeightDiagnostics of(double[] weights) {
    double[] ascending = weights.clone();
    Arrays.sort(ascending);
    int n = ascending.length;
    double total = CompensatedSums.of(ascending);
    double mean = total / n;
    double error = standardError(ascending, mean);
    double squares = squares(ascending);
    double largest = ascending[n - 1];
    int top = Math.max(1, (n + 99) / 100);
    double topTotal = CompensatedSums.of(Arrays.copyOfRange(ascending, n - top, n));
    return new WeightDiagnostics(
        n,
        mean,
        z(mean, error),
        Interval.normal(mean, error, 0.95),
        squares > 0 ? total * total / squares : 0,
        largest,
        total > 0 ? largest / total : 0,
        total > 0 ? topTotal / total : 0,
        Quantiles.ofSorted(ascending, 0.5),
        Quantiles.ofSorted(ascending, 0.9),
        Quantiles.ofSorted(ascending, 0.99),
        Arrays.stream(ascending).takeWhile(weight -> weight == 0).count(),
        histogram(ascending));
  }

  private static double standardError(double[] weights, double mean) {
    if (weights.length < 2) {
      return 0;
    }
    CompensatedSums squares = new CompensatedSums(1);
    for (double weight : weights) {
      squares.add(0, (weight - mean) * (weight - mean));
    }
    return Math.sqrt(squares.get(0) / (weights.length - 1.0) / weights.length);
  }

  private static double squares(double[] weights) {
    CompensatedSums squares = new CompensatedSums(1);
    for (double weight : weights) {
      squares.add(0, weight * weight);
    }
    return squares.get(0);
  }

  /** Rounding alone moves a weight of 1 by about 1e-15; that is no evidence of anything. */
  private static double z(double mean, double error) {
    double distance = mean - 1;
    if (Math.abs(distance) < 1e-12) {
      return 0;
    }
    double z = error > 0 ? distance / error : Math.copySign(LARGEST_Z, distance);
    return Math.max(-LARGEST_Z, Math.min(LARGEST_Z, z));
  }

  private static List<Long> histogram(double[] ascending) {
    Long[] counts = new Long[EDGES.length + 1];
    Arrays.fill(counts, 0L);
    for (double weight : ascending) {
      if (weight > 0) {
        int bin = 0;
        while (bin < EDGES.length && weight >= EDGES[bin]) {
          bin++;
        }
        counts[bin]++;
      }
    }
    return List.of(counts);
  }
}
