package io.bellwether.evaluation.offpolicy;

import io.bellwether.evaluation.CompensatedSums;
import java.util.List;

/**
 * How many unweighted decisions an estimator's weighted ones are worth: (Σw)² / Σw² with the
 * estimator's own weights, cut or of clusters as they are, at the position where it is smallest.
 */
public final class EffectiveSampleSize {
  private EffectiveSampleSize() {}

  /** One for each estimator, in one pass; 0 where all weights are 0. */
  public static double[] of(List<? extends Estimator> estimators, DecisionColumns columns) {
    int positions = columns.positions();
    Estimator[] each = estimators.toArray(Estimator[]::new);
    CompensatedSums sums =
        columns.reduce(
            () -> new CompensatedSums(2 * each.length * positions),
            (part, decision, row) -> add(part, each, row),
            (left, right) -> {
              left.merge(right);
              return left;
            });
    double[] sizes = new double[each.length];
    for (int at = 0; at < sizes.length; at++) {
      sizes[at] = smallest(sums, 2 * at * positions, positions);
    }
    return sizes;
  }

  private static void add(CompensatedSums sums, Estimator[] estimators, DecisionRow row) {
    int at = 0;
    for (Estimator estimator : estimators) {
      for (int position = 0; position < row.positions(); position++) {
        double weight = estimator.weight(row, position);
        sums.add(at++, weight);
        sums.add(at++, weight * weight);
      }
    }
  }

  private static double smallest(CompensatedSums sums, int from, int positions) {
    double smallest = Double.POSITIVE_INFINITY;
    for (int position = 0; position < positions; position++) {
      double sum = sums.get(from + 2 * position);
      double squares = sums.get(from + 2 * position + 1);
      smallest = Math.min(smallest, squares > 0 ? sum * sum / squares : 0);
    }
    return smallest;
  }
}
