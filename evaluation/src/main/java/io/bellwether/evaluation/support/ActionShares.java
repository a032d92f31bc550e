package io.bellwether.evaluation.support;

import java.util.Arrays;

/** Distances between two distributions over the same actions, entry by entry. */
final class ActionShares {
  private ActionShares() {}

  /** Amounts as shares of their sum, after adding something to each. */
  static double[] of(double[] amounts, double added) {
    double total = Arrays.stream(amounts).sum() + added * amounts.length;
    return Arrays.stream(amounts).map(amount -> (amount + added) / total).toArray();
  }

  /** ½ Σ|current − reference|, in [0, 1]. */
  static double totalVariation(double[] reference, double[] current) {
    double distance = 0;
    for (int action = 0; action < reference.length; action++) {
      distance += Math.abs(current[action] - reference[action]);
    }
    return distance / 2;
  }

  /** Σ(current − reference)·ln(current/reference), for shares above 0; the symmetric divergence. */
  static double stabilityIndex(double[] reference, double[] current) {
    double index = 0;
    for (int action = 0; action < reference.length; action++) {
      index +=
          (current[action] - reference[action]) * Math.log(current[action] / reference[action]);
    }
    return index;
  }
}
