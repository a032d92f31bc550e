package io.bellwether.evaluation.distribution;

import java.util.function.IntToDoubleFunction;

/** A reward model's distributions: the chance that a decision's amount is at most a value. */
public interface CdfModel {

  /** P(amount ≤ value) for what the decision showed, in [0, 1]. */
  double shown(int decision, double value);

  /** The same, averaged over what the target policy would show. */
  double expected(int decision, double value);

  /**
   * Of a signal that is 0 or 1 with a predicted chance of 1.
   *
   * @param prediction that chance by decision, for what was shown
   * @param direct the same averaged over what the target would show
   */
  static CdfModel ofFlags(IntToDoubleFunction prediction, IntToDoubleFunction direct) {
    return new CdfModel() {
      @Override
      public double shown(int decision, double value) {
        return atMost(value, prediction.applyAsDouble(decision));
      }

      @Override
      public double expected(int decision, double value) {
        return atMost(value, direct.applyAsDouble(decision));
      }
    };
  }

  private static double atMost(double value, double chance) {
    if (value < 0) {
      return 0;
    }
    return value < 1 ? 1 - chance : 1;
  }
}
