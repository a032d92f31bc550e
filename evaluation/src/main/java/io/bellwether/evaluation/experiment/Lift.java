package io.bellwether.evaluation.experiment;

import java.util.Optional;

/** A difference as a share of the control's value: 0.05 is five percent more. */
public sealed interface Lift {

  Optional<Welch> known();

  record Known(Welch relative) implements Lift {
    @Override
    public Optional<Welch> known() {
      return Optional.of(relative);
    }
  }

  /** The control's value is too close to zero to divide by. Never a lift of 0. */
  record Withheld(EffectOutcome.Reason reason) implements Lift {
    @Override
    public Optional<Welch> known() {
      return Optional.empty();
    }
  }
}
