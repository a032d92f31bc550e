package io.bellwether.evaluation.episode;

/**
 * The range in which fitted values mean something: twice what the largest reward at every step
 * would bring.
 */
public record ValueBound(double bound) {

  public ValueBound {
    if (!(bound >= 0)) {
      throw new IllegalArgumentException("a bound of " + bound);
    }
  }

  /**
   * {@code 2 · largestReward / (1 − discount)}.
   *
   * @param discount in [0, 1)
   */
  public static ValueBound discounted(double largestReward, double discount) {
    return new ValueBound(2 * largestReward / (1 - discount));
  }

  /**
   * Takes a value.
   *
   * @throws FittedValueException when it is not finite or beyond the bound
   */
  public void check(double value) {
    if (!(Math.abs(value) <= bound)) {
      throw new FittedValueException(value, bound);
    }
  }
}
