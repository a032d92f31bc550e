package io.bellwether.evaluation.experiment;

import io.bellwether.evaluation.experiment.EffectOutcome.Undefined;
import java.util.OptionalDouble;

/**
 * A number by which variants are compared. Immutable.
 *
 * @param name unique within an experiment
 */
public record Metric(String name, Measure measure, Direction direction) {

  /**
   * Treatment against control, in the metric's own unit and sign: {@link Direction#oriented} tells
   * better from worse. Both samples are of one phase.
   */
  public EffectOutcome effect(VariantSample control, VariantSample treatment) {
    if (control.units() == 0 || treatment.units() == 0) {
      return new Undefined(
          EffectOutcome.Reason.EMPTY_VARIANT,
          OptionalDouble.empty(),
          OptionalDouble.empty(),
          control.units(),
          treatment.units());
    }
    return measure.effect(control, treatment);
  }
}
