package io.bellwether.loadtest.learning.tabular;

import java.util.Arrays;

/**
 * Reward-constrained policy optimisation with one critic, the baseline: the critic learns the
 * priced reward as a whole, so whenever a price moves, all that it knows is out of date.
 *
 * <p>Source: Tessler, Mankowitz and Mannor, "Reward Constrained Policy Optimization", 2018. The
 * critic follows by damped expected backups, the policy is soft-optimal for the critic as it
 * stands, and prices move on the slowest time scale.
 *
 * @param criticRate share by which a backup moves the critic, in (0, 1]
 * @param priceRate what a price moves by per unit of a relative error
 * @param temperature of the softmax
 * @param updates number of backups
 */
record SingleCriticLearner(double criticRate, double priceRate, double temperature, int updates) {

  static final SingleCriticLearner DEFAULT = new SingleCriticLearner(0.1, 0.01, 0.02, 4000);

  /** The last policy: this method keeps no other. */
  double[][] run(ConstrainedTask task, double[] scales) {
    ConstrainedProcess process = task.process();
    double[][] noPrior = new double[process.states()][process.actions()];
    double[][] critic = new double[process.states()][process.actions()];
    double[][] policy = process.uniform();
    double[] prices = new double[task.limits().size()];
    for (int update = 0; update < updates; update++) {
      double[][] target = process.backedUp(task.pricedReward(prices), expected(policy, critic));
      for (int state = 0; state < critic.length; state++) {
        for (int action = 0; action < critic[state].length; action++) {
          critic[state][action] += criticRate * (target[state][action] - critic[state][action]);
        }
      }
      policy = TiltedPolicy.of(noPrior, critic, temperature);
      double[] values = process.values(policy);
      Arrays.setAll(prices, i -> moved(prices[i], task.limits().get(i), values, scales[i]));
    }
    return policy;
  }

  private double moved(double price, Limit limit, double[] values, double scale) {
    double error = limit.shortfall(values[limit.signal()]) / Math.abs(limit.bound());
    return Math.max(0, Math.min(PricedLearner.CAP, price + priceRate * scale * error));
  }

  private static double[] expected(double[][] policy, double[][] critic) {
    double[] values = new double[policy.length];
    for (int state = 0; state < values.length; state++) {
      for (int action = 0; action < critic[state].length; action++) {
        values[state] += policy[state][action] * critic[state][action];
      }
    }
    return values;
  }
}
