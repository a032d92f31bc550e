package io.bellwether.loadtest.learning.tabular;

/**
 * The policy that maximises the discounted sum of reward plus {@code temperature} times its own
 * entropy, by soft policy iteration: exact evaluation and {@code π ∝ exp(Q / temperature)} in turn.
 *
 * <p>Source: Haarnoja and others, "Soft Actor-Critic", 2018.
 *
 * @param policy {@code [state][action]}
 * @param stateValues {@code V [state]}, entropy included
 * @param actionValues {@code Q [state][action]}, entropy of later steps included
 */
@SuppressWarnings("ArrayRecordComponent")
record SoftOptimum(double[][] policy, double[] stateValues, double[][] actionValues) {

  /** The iteration converges quadratically: one more round would change the square of this. */
  private static final double SAME = 1e-8;

  /** Newton's method on a contraction: a handful suffice, a hundred mean that it does not end. */
  private static final int MOST_ROUNDS = 100;

  /** {@code from}: where the iteration starts; any policy will do, a near one saves rounds. */
  static SoftOptimum of(
      ConstrainedProcess process, double[][] reward, double temperature, double[][] from) {
    double[][] policy = from;
    double[][] noPrior = new double[process.states()][process.actions()];
    for (int round = 0; round < MOST_ROUNDS; round++) {
      double[] values = process.stateValues(policy, withEntropy(policy, reward, temperature));
      double[][] actionValues = process.backedUp(reward, values);
      double[][] improved = TiltedPolicy.of(noPrior, actionValues, temperature);
      boolean same = TiltedPolicy.distance(policy, improved) < SAME;
      policy = improved;
      if (same) {
        return new SoftOptimum(policy, values, actionValues);
      }
    }
    throw new IllegalStateException(
        "soft policy iteration did not settle at temperature " + temperature);
  }

  /** {@code [state]}: expected reward plus temperature times entropy. */
  private static double[] withEntropy(double[][] policy, double[][] reward, double temperature) {
    double[] perState = new double[policy.length];
    for (int state = 0; state < policy.length; state++) {
      for (int action = 0; action < policy[state].length; action++) {
        double chance = policy[state][action];
        if (chance > 0) {
          perState[state] += chance * (reward[state][action] - temperature * Math.log(chance));
        }
      }
    }
    return perState;
  }
}
