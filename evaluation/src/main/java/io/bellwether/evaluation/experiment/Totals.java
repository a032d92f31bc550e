package io.bellwether.evaluation.experiment;

import io.bellwether.evaluation.experiment.EffectOutcome.Reason;
import io.bellwether.evaluation.experiment.EffectOutcome.Undefined;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BiFunction;

/** How the units' totals of one signal are distributed in two variants. */
record Totals(Distribution control, Distribution treatment) {

  /** Empty distributions stand for those that are not counted. */
  static Totals of(String signal, VariantSample control, VariantSample treatment) {
    return new Totals(
        control.distributions().getOrDefault(signal, Distribution.empty()),
        treatment.distributions().getOrDefault(signal, Distribution.empty()));
  }

  /** Why nothing can be said of them, if so. */
  Optional<Reason> missing() {
    if (control.count() == 0 || treatment.count() == 0) {
      return Optional.of(Reason.NOT_COUNTED);
    }
    return control.finite() && treatment.finite()
        ? Optional.empty()
        : Optional.of(Reason.NOT_FINITE);
  }

  EffectOutcome effect(BiFunction<Distribution, Distribution, EffectOutcome> effect) {
    OptionalDouble none = OptionalDouble.empty();
    return missing()
        .<EffectOutcome>map(
            reason -> new Undefined(reason, none, none, control.count(), treatment.count()))
        .orElseGet(() -> effect.apply(control, treatment));
  }
}
