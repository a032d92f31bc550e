package io.bellwether.loadtest.learning.tabular;

import java.util.ArrayList;
import java.util.List;

/**
 * The Lagrangian learner with a critic per signal and exact steps: the soft-optimal policy for the
 * priced reward, then every price by its controller, again and again.
 *
 * <p>With best responses the last policy swings about the constrained optimum, which is a mixture;
 * the average of the occupancy measures over the last half of the updates is what converges.
 *
 * @param gains of the controllers, for errors as {@code relative} says
 * @param relative whether errors are shares of the bound
 * @param temperature of the soft policies at the first update
 * @param lastTemperature reached geometrically after {@link #ANNEALED} of the updates
 * @param updates number of updates, at least 2
 */
record PricedLearner(
    PidMultiplier.Gains gains,
    boolean relative,
    double temperature,
    double lastTemperature,
    int updates) {

  static final double CAP = 50;

  private static final double ANNEALED = 0.7;

  /** As ALGORITHMS.md gives it for random processes. */
  static final PricedLearner DEFAULT =
      new PricedLearner(new PidMultiplier.Gains(0.2, 0.05, 0), true, 0.05, 0.005, 3000);

  /**
   * What a run leaves behind.
   *
   * @param lastPolicy soft-optimal for the last prices
   * @param averagedPolicy has the mean visits of the last half
   * @param multipliers the last prices, one per limit
   * @param hopeless per limit, whether no price keeps it
   * @param trace {@code [update][limit]}: value of the limit's signal
   */
  @SuppressWarnings("ArrayRecordComponent")
  record Run(
      double[][] lastPolicy,
      double[][] averagedPolicy,
      double[] multipliers,
      boolean[] hopeless,
      double[][] trace) {

    /** After how many updates every limit's signal stays within a share of its bound. */
    int settledAfter(List<Limit> limits, double share) {
      int last = 0;
      for (int update = 0; update < trace.length; update++) {
        for (int i = 0; i < limits.size(); i++) {
          double bound = limits.get(i).bound();
          if (Math.abs(trace[update][i] - bound) > share * Math.abs(bound)) {
            last = update + 1;
          }
        }
      }
      return last;
    }
  }

  PricedLearner withGains(double proportional, double integral, double derivative) {
    return new PricedLearner(
        new PidMultiplier.Gains(proportional, integral, derivative),
        relative,
        temperature,
        lastTemperature,
        updates);
  }

  /** {@code scales}: per limit, what its controller's gains are multiplied by. */
  Run run(ConstrainedTask task, double[] scales) {
    ConstrainedProcess process = task.process();
    List<Limit> limits = task.limits();
    List<PidMultiplier> prices = new ArrayList<>();
    for (double scale : scales) {
      prices.add(new PidMultiplier(gains.times(scale), CAP));
    }
    double[][] trace = new double[updates][limits.size()];
    double[][] total = new double[process.states()][process.actions()];
    double[][] policy = process.uniform();
    for (int update = 0; update < updates; update++) {
      double[][] reward = task.pricedReward(values(prices));
      policy = SoftOptimum.of(process, reward, temperature(update), policy).policy();
      double[][] visits = process.visits(policy);
      if (update >= updates / 2) {
        add(visits, total);
      }
      for (int i = 0; i < limits.size(); i++) {
        Limit limit = limits.get(i);
        trace[update][i] = process.value(visits, limit.signal());
        double error = limit.shortfall(trace[update][i]);
        prices.get(i).update(relative ? error / Math.abs(limit.bound()) : error);
      }
    }
    boolean[] hopeless = new boolean[limits.size()];
    for (int i = 0; i < hopeless.length; i++) {
      hopeless[i] = prices.get(i).isHopeless();
    }
    return new Run(policy, process.policyOf(total), values(prices), hopeless, trace);
  }

  private double temperature(int update) {
    double done = Math.min(1, update / (ANNEALED * updates));
    return temperature * Math.pow(lastTemperature / temperature, done);
  }

  private static double[] values(List<PidMultiplier> prices) {
    return prices.stream().mapToDouble(PidMultiplier::value).toArray();
  }

  private static void add(double[][] visits, double[][] total) {
    for (int state = 0; state < visits.length; state++) {
      for (int action = 0; action < visits[state].length; action++) {
        total[state][action] += visits[state][action];
      }
    }
  }

  /**
   * Per limit, the deviation of the objective's advantages as a multiple of that of the limit's
   * signal, over states and actions of the even policy: in that unit prices are about 1.
   */
  static double[] scales(ConstrainedTask task) {
    double main = deviation(task.process(), 0);
    return task.limits().stream()
        .mapToDouble(limit -> main / deviation(task.process(), limit.signal()))
        .toArray();
  }

  /** Standard deviation of a signal's advantages under the even policy, which have mean 0. */
  static double deviation(ConstrainedProcess process, int signal) {
    double[][] even = process.uniform();
    double[] values = process.stateValues(even, process.rewards()[signal]);
    double[][] actionValues = process.backedUp(process.rewards()[signal], values);
    double squares = 0;
    for (int state = 0; state < values.length; state++) {
      for (double value : actionValues[state]) {
        squares += (value - values[state]) * (value - values[state]);
      }
    }
    return Math.sqrt(squares / (values.length * process.actions()));
  }
}
