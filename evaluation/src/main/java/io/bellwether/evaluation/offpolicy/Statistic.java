package io.bellwether.evaluation.offpolicy;

/**
 * A number computed from logged decisions whose spread over resampled units is wanted. Immutable;
 * statistics of one log are resampled together, so that they are paired.
 */
public sealed interface Statistic {

  Value target();

  /** What the target is compared with; the target itself where it is compared with nothing. */
  Value baseline();

  /** The number from the two values; not finite where there is none. */
  double combine(double target, double baseline);

  /** An estimator's value on columns. */
  record Value(Estimator estimator, DecisionColumns columns) implements Statistic {

    @Override
    public Value target() {
      return this;
    }

    @Override
    public Value baseline() {
      return this;
    }

    @Override
    public double combine(double target, double baseline) {
      return target;
    }
  }

  /** Target minus baseline. */
  record Difference(Value target, Value baseline) implements Statistic {

    @Override
    public double combine(double target, double baseline) {
      return target - baseline;
    }
  }

  /** Target / baseline − 1. */
  record Lift(Value target, Value baseline) implements Statistic {

    @Override
    public double combine(double target, double baseline) {
      return target / baseline - 1;
    }
  }
}
