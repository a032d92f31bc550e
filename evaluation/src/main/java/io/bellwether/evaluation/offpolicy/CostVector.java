package io.bellwether.evaluation.offpolicy;

/**
 * What an online learner is told about every action of one decision when only one was tried: a cost
 * (minus the reward) per action.
 *
 * <p>Source: Bietti, Agarwal and Langford, "A Contextual Bandit Bake-off", 2021.
 */
public final class CostVector {
  private CostVector() {}

  /**
   * The logged cost over its propensity at the logged action, 0 elsewhere: right on average, wide.
   *
   * @param cost of the logged action
   * @param propensity of the logged action, in (0, 1]
   */
  public static double[] ips(int actions, int logged, double cost, double propensity) {
    requirePropensity(propensity);
    double[] costs = new double[actions];
    costs[logged] = cost / propensity;
    return costs;
  }

  /** The model's predictions as they are; a copy. */
  public static double[] direct(double[] predicted) {
    return predicted.clone();
  }

  /** The predictions, and at the logged action the model's error over the propensity on top. */
  public static double[] doublyRobust(
      double[] predicted, int logged, double cost, double propensity) {
    requirePropensity(propensity);
    double[] costs = predicted.clone();
    costs[logged] += (cost - predicted[logged]) / propensity;
    return costs;
  }

  /**
   * The weight with which the logged action's cost enters a regression that is told of no other
   * action.
   */
  public static double regressionWeight(double propensity) {
    requirePropensity(propensity);
    return 1 / propensity;
  }

  private static void requirePropensity(double propensity) {
    if (!(propensity > 0 && propensity <= 1)) {
      throw new IllegalArgumentException("a propensity is in (0, 1], found " + propensity);
    }
  }
}
