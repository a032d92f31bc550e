package io.bellwether.trainer.algorithm;

/**
 * How the price of each promise is set while the policy trains: a PID controller on the normalised
 * shortfall.
 *
 * <p>Source: Stooke, Achiam and Abbeel, "Responsive Safety in Reinforcement Learning by PID
 * Lagrangian Methods", 2020, with the shortfall divided by the bound and held within ±1, and
 * without integration at the cap.
 *
 * @param proportional gain on the shortfall
 * @param integral gain on the sum of shortfalls
 * @param derivative gain on the growth of the shortfall
 * @param cap largest multiplier; one that stays there means that the promise cannot be kept
 * @param every steps between two updates
 * @param rows rows of the fixed part of the data on which the policy is estimated
 * @param margin standard errors of the estimate by which the promise has to be kept, so that the
 *     gate, which looks at a confidence bound, has a chance to see it kept
 */
public record MultiplierConfig(
    double proportional,
    double integral,
    double derivative,
    double cap,
    int every,
    int rows,
    double margin) {

  public static final MultiplierConfig DEFAULT =
      new MultiplierConfig(1, 0.25, 0, 50, 50, 8192, 1.64);

  public MultiplierConfig {
    if (!(proportional >= 0 && integral >= 0 && derivative >= 0 && cap > 0 && margin >= 0)) {
      throw new IllegalArgumentException(
          "gains and margin must be at least 0 and the cap positive");
    }
    if (every < 1 || rows < 1) {
      throw new IllegalArgumentException("interval and rows must be at least 1");
    }
  }

  public MultiplierConfig withEvery(int steps) {
    return new MultiplierConfig(proportional, integral, derivative, cap, steps, rows, margin);
  }

  public MultiplierConfig withMargin(double standardErrors) {
    return new MultiplierConfig(
        proportional, integral, derivative, cap, every, rows, standardErrors);
  }
}
