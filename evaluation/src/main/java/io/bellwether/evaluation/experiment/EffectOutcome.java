package io.bellwether.evaluation.experiment;

import java.util.OptionalDouble;

/** What a metric says of treatment against control: an effect, or why there is none. */
public sealed interface EffectOutcome permits Effect, EffectOutcome.Undefined {

  long controlUnits();

  long treatmentUnits();

  /** The control's value of the metric, where it has one. */
  OptionalDouble controlValue();

  /** The treatment's value of the metric, where it has one. */
  OptionalDouble treatmentValue();

  /** Units of both variants: the count of a sequence. */
  default long units() {
    return controlUnits() + treatmentUnits();
  }

  /** No effect with an error can be stated; the values are there where they exist. */
  record Undefined(
      Reason reason,
      OptionalDouble controlValue,
      OptionalDouble treatmentValue,
      long controlUnits,
      long treatmentUnits)
      implements EffectOutcome {}

  /** Why a number cannot be computed. */
  enum Reason {
    EMPTY_VARIANT("a variant has no unit yet"),
    TOO_FEW_UNITS("a variant has too few units"),
    ZERO_VARIANCE("all units of both variants have the same value, so the error is unknown"),
    ZERO_DENOMINATOR("the denominator of the ratio is zero"),
    ZERO_BASELINE("the control's value is zero, so there is no relative difference"),
    NEGATIVE_BASELINE("the control's value is negative, so a relative difference has no sign"),
    UNSTABLE_BASELINE("the control's value is less than five of its standard errors from zero"),
    NOT_FINITE("an outcome is infinite, too large or no number"),
    NOT_COUNTED("the numbers do not count what the metric needs");

    private final String words;

    Reason(String words) {
      this.words = words;
    }

    /** A sentence without its full stop, for people. */
    public String words() {
      return words;
    }
  }
}
