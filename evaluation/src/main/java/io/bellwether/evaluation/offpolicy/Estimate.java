package io.bellwether.evaluation.offpolicy;

import java.util.OptionalDouble;

/** What an estimator can say about a policy's value per decision, in the signal's unit. */
public sealed interface Estimate {

  /** What the standard error treats as independent. */
  enum ErrorKind {
    ROW,
    CLUSTER
  }

  OptionalDouble point();

  OptionalDouble error();

  /**
   * A value with its standard error.
   *
   * @param units how many independent units: decisions, or subjects where one has several
   */
  record Estimated(
      double value, double standardError, ErrorKind errorKind, long decisions, long units)
      implements Estimate {

    public Estimated {
      if (!Double.isFinite(value) || !(standardError >= 0) || Double.isInfinite(standardError)) {
        throw new IllegalArgumentException(
            "no estimate: %s with standard error %s".formatted(value, standardError));
      }
    }

    @Override
    public OptionalDouble point() {
      return OptionalDouble.of(value);
    }

    @Override
    public OptionalDouble error() {
      return OptionalDouble.of(standardError);
    }
  }

  /** A value of which nobody can say how sure it is. */
  record ValueOnly(double value, String reason) implements Estimate {

    @Override
    public OptionalDouble point() {
      return OptionalDouble.of(value);
    }

    @Override
    public OptionalDouble error() {
      return OptionalDouble.empty();
    }
  }

  /** No value, and a machine-readable reason. */
  record Refused(String reason) implements Estimate {

    @Override
    public OptionalDouble point() {
      return OptionalDouble.empty();
    }

    @Override
    public OptionalDouble error() {
      return OptionalDouble.empty();
    }
  }
}
