package io.bellwether.loadtest.learning.tabular;

import java.util.List;

/** A process and what a policy has to keep in it. */
record ConstrainedTask(String name, ConstrainedProcess process, List<Limit> limits) {

  ConstrainedTask {
    limits = List.copyOf(limits);
  }

  /** The largest part of a bound by which signals' values break it; 0 where all are kept. */
  double violationShare(double[] values) {
    double worst = 0;
    for (Limit limit : limits) {
      worst = Math.max(worst, limit.violationShare(values[limit.signal()]));
    }
    return worst;
  }

  /** {@code r_0 + Σ sign_i λ_i r_i} as {@code [state][action]}, a multiplier per limit. */
  double[][] pricedReward(double[] multipliers) {
    double[][] priced = new double[process.states()][];
    for (int state = 0; state < priced.length; state++) {
      priced[state] = process.rewards()[0][state].clone();
      for (int i = 0; i < multipliers.length; i++) {
        double price = limits.get(i).sign() * multipliers[i];
        double[] reward = process.rewards()[limits.get(i).signal()][state];
        for (int action = 0; action < reward.length; action++) {
          priced[state][action] += price * reward[action];
        }
      }
    }
    return priced;
  }
}
