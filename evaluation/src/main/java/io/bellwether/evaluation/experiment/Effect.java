package io.bellwether.evaluation.experiment;

import java.util.OptionalDouble;

/**
 * How much a metric differs between treatment and control.
 *
 * @param control the control's value, in the metric's unit
 * @param treatment the treatment's value; with a covariate both are moved to the covariate's common
 *     mean
 * @param absolute treatment minus control, in the metric's unit
 * @param lift the same as a share of the control's value, or why it is not shown
 */
public record Effect(
    double control,
    double treatment,
    Welch absolute,
    Lift lift,
    long controlUnits,
    long treatmentUnits)
    implements EffectOutcome {

  /** Of two independent values. */
  static EffectOutcome between(Side control, Side treatment) {
    if (!control.known() || !treatment.known()) {
      return undefined(Reason.TOO_FEW_UNITS, control, treatment);
    }
    double first = control.value().orElseThrow();
    double second = treatment.value().orElseThrow();
    double error = control.squaredError().orElseThrow();
    return between(control, treatment, Baseline.of(first, second, error));
  }

  /** Of two independent values whose relative difference has another baseline. */
  static EffectOutcome between(Side control, Side treatment, Baseline baseline) {
    if (!control.known() || !treatment.known()) {
      return undefined(Reason.TOO_FEW_UNITS, control, treatment);
    }
    double first = control.squaredError().orElseThrow();
    double second = treatment.squaredError().orElseThrow();
    double low = control.value().orElseThrow();
    double high = treatment.value().orElseThrow();
    if (!Double.isFinite(first + second) || !Double.isFinite(high - low)) {
      return undefined(Reason.NOT_FINITE, control, treatment);
    }
    if (!(first + second > 0)) {
      return undefined(Reason.ZERO_VARIANCE, control, treatment);
    }
    Welch absolute =
        Welch.of(
            new Welch.Part(low, first, control.units()),
            new Welch.Part(high, second, treatment.units()));
    return new Effect(
        low, high, absolute, baseline.lift(absolute, second), control.units(), treatment.units());
  }

  /** No effect; a value that is not finite is not shown either. */
  static Undefined undefined(Reason reason, Side control, Side treatment) {
    return new Undefined(
        reason, shown(control), shown(treatment), control.units(), treatment.units());
  }

  @Override
  public OptionalDouble controlValue() {
    return OptionalDouble.of(control);
  }

  @Override
  public OptionalDouble treatmentValue() {
    return OptionalDouble.of(treatment);
  }

  /** Treatment minus control. */
  public double difference() {
    return absolute.difference();
  }

  /** Of the difference. */
  public double standardError() {
    return absolute.standardError();
  }

  private static OptionalDouble shown(Side side) {
    return side.finite() ? side.value() : OptionalDouble.empty();
  }
}
