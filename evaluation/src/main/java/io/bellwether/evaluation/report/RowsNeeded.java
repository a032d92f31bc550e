package io.bellwether.evaluation.report;

import io.bellwether.evaluation.interval.Normal;

/** How many decisions a log needs before a question about it can be answered. */
public sealed interface RowsNeeded {

  /** Chance of answering when the effect is there. */
  double POWER = 0.8;

  /**
   * A log this long would answer.
   *
   * @param effect the true effect for which it suffices with a power of 80 %
   */
  record Known(long decisions, double effect) implements RowsNeeded {}

  record Unknown(String reason) implements RowsNeeded {}

  /**
   * ((z_{1−alpha} + z_{0.8})·spread / effect)².
   *
   * @param spread standard deviation of the influence values
   */
  static RowsNeeded of(double spread, double effect, double alpha) {
    if (!(effect > 0)) {
      return new Unknown("NO_EFFECT_TO_DETECT");
    }
    double ratio = (Normal.quantile(1 - alpha) + Normal.quantile(POWER)) * spread / effect;
    double decisions = Math.ceil(ratio * ratio);
    return decisions < Long.MAX_VALUE
        ? new Known((long) decisions, effect)
        : new Unknown("NO_EFFECT_TO_DETECT");
  }

  default String words() {
    return this instanceof Known known
        ? "about %d decisions would show an effect of %s"
            .formatted(known.decisions, Words.number(known.effect))
        : "how many decisions would show it is not known";
  }
}
