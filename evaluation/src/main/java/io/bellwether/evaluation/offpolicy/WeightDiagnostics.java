package io.bellwether.evaluation.offpolicy;

import io.bellwether.evaluation.CompensatedSums;
import io.bellwether.evaluation.interval.Interval;
import java.util.Arrays;
import java.util.List;

/**
 * How far the importance weights of a log can be trusted.
 *
 * <p>A mean weight near 1 is necessary and proves little: heavy tails widen its own error. The
 * effective sample size and the largest share decide.
 *
 * <p>All numbers are exact, and come from passes over the weights that keep nothing per decision.
 *
 * @param meanWeight 1 in expectation where propensities are right and overlap holds
 * @param meanWeightZ (mean − 1) / its standard error, cut at ±1e6; 0 where all weights are equal to
 *     1. By decisions, not by units: where propensities are right a weight has mean 1 whatever its
 *     unit did before, so the weights of a unit that draws anew each time are uncorrelated
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
    double ninetyFifthPercentile,
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
    return of(Column.of(weights));
  }

  /** Diagnostics of the weights at a position, of a log with at least one decision. */
  public static WeightDiagnostics of(PrefixWeights weights, int position) {
    return of(
        new Column(
            weights.decisions(), decision -> true, decision -> weights.at(decision, position)));
  }

  /** Diagnostics of the weights at a position of the decisions of a view, at least one. */
  public static WeightDiagnostics of(DecisionColumns columns, int position) {
    return of(
        new Column(columns.end(), columns::holds, decision -> columns.weight(decision, position)));
  }

  private static WeightDiagnostics of(Column weights) {
    Totals totals = weights.reduce(Totals::new, Totals::add, Totals::join);
    long n = totals.count;
    double total = totals.sums.get(0);
    double squares = totals.sums.get(1);
    double mean = total / n;
    double error = standardError(weights, n, mean);
    long top = Math.max(1, (n + 99) / 100);
    double[] quantiles = OrderStatistics.quantilesAndTop(weights, n, top, 0.5, 0.9, 0.95, 0.99);
    return new WeightDiagnostics(
        n,
        mean,
        z(mean, error),
        Interval.normal(mean, error, 0.95),
        squares > 0 ? total * total / squares : 0,
        totals.largest,
        total > 0 ? totals.largest / total : 0,
        total > 0 ? topTotal(weights, top, quantiles[4]) / total : 0,
        quantiles[0],
        quantiles[1],
        quantiles[2],
        quantiles[3],
        totals.zeros,
        Arrays.stream(totals.bins).boxed().toList());
  }

  private static double standardError(Column weights, long n, double mean) {
    if (n < 2) {
      return 0;
    }
    CompensatedSums squares =
        sums(weights, (part, weight) -> part.add(0, (weight - mean) * (weight - mean)));
    return Math.sqrt(squares.get(0) / (n - 1.0) / n);
  }

  /** The sum of the {@code top} largest weights, of which {@code least} is the smallest. */
  private static double topTotal(Column weights, long top, double least) {
    CompensatedSums above =
        sums(
            weights,
            (part, weight) -> {
              if (weight > least) {
                part.add(0, weight);
                part.add(1, 1);
              }
            });
    return above.get(0) + (top - above.get(1)) * least;
  }

  private static CompensatedSums sums(
      Column weights, Column.Accumulator<CompensatedSums> accumulator) {
    return weights.reduce(
        () -> new CompensatedSums(2),
        accumulator,
        (left, right) -> {
          left.merge(right);
          return left;
        });
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

  /** What one pass can say. */
  private static final class Totals {
    private final CompensatedSums sums = new CompensatedSums(2);
    private final long[] bins = new long[EDGES.length + 1];
    private double largest = Double.NEGATIVE_INFINITY;
    private long count;
    private long zeros;

    void add(double weight) {
      count++;
      sums.add(0, weight);
      sums.add(1, weight * weight);
      largest = Math.max(largest, weight);
      if (weight > 0) {
        bins[bin(weight)]++;
      } else if (weight == 0) {
        zeros++;
      }
    }

    private static int bin(double weight) {
      int bin = 0;
      while (bin < EDGES.length && weight >= EDGES[bin]) {
        bin++;
      }
      return bin;
    }

    Totals join(Totals other) {
      sums.merge(other.sums);
      for (int bin = 0; bin < bins.length; bin++) {
        bins[bin] += other.bins[bin];
      }
      largest = Math.max(largest, other.largest);
      count += other.count;
      zeros += other.zeros;
      return this;
    }
  }
}
