package io.bellwether.loadtest.learning.tabular;

/**
 * The closed form that actors share: {@code π(a|s) ∝ prior(a|s) exp(Q(s, a) / temperature)}, the
 * maximiser of {@code E[Q] - temperature · KL(π ‖ prior)}.
 */
final class TiltedPolicy {

  private TiltedPolicy() {}

  /** {@code logPrior} may be off by a constant per state. */
  static double[][] of(double[][] logPrior, double[][] actionValues, double temperature) {
    double[][] policy = new double[actionValues.length][];
    for (int state = 0; state < policy.length; state++) {
      policy[state] = softmax(logPrior[state], actionValues[state], temperature);
    }
    return policy;
  }

  private static double[] softmax(double[] logPrior, double[] values, double temperature) {
    double[] chances = new double[values.length];
    double largest = Double.NEGATIVE_INFINITY;
    for (int action = 0; action < values.length; action++) {
      chances[action] = logPrior[action] + values[action] / temperature;
      largest = Math.max(largest, chances[action]);
    }
    double total = 0;
    for (int action = 0; action < values.length; action++) {
      chances[action] = Math.exp(chances[action] - largest);
      total += chances[action];
    }
    for (int action = 0; action < values.length; action++) {
      chances[action] /= total;
    }
    return chances;
  }

  /** The largest difference between two policies' chances of an action. */
  static double distance(double[][] one, double[][] other) {
    double largest = 0;
    for (int state = 0; state < one.length; state++) {
      for (int action = 0; action < one[state].length; action++) {
        largest = Math.max(largest, Math.abs(one[state][action] - other[state][action]));
      }
    }
    return largest;
  }
}
