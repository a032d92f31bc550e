package io.bellwether.evaluation.experiment;

import java.util.OptionalDouble;

/** A number of a reading, or the machine-readable reason why there is none. */
public sealed interface Figure {

  OptionalDouble number();

  record Known(double value) implements Figure {
    public Known {
      if (!Double.isFinite(value)) {
        throw new IllegalArgumentException("a figure is a number, found " + value);
      }
    }

    @Override
    public OptionalDouble number() {
      return OptionalDouble.of(value);
    }
  }

  record Unknown(String reason) implements Figure {
    @Override
    public OptionalDouble number() {
      return OptionalDouble.empty();
    }
  }

  /** The value, where it is a number; a sum that overflowed is none. */
  static Figure of(double value) {
    return Double.isFinite(value) ? new Known(value) : new Unknown("NOT_FINITE");
  }

  static Figure of(long count) {
    return new Known((double) count);
  }

  static Figure of(OptionalDouble value, String reasonOfAbsence) {
    return value.isPresent() ? of(value.getAsDouble()) : new Unknown(reasonOfAbsence);
  }
}
