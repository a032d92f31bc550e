package io.bellwether.evaluation.report;

import io.bellwether.evaluation.interval.AsymptoticSequence;
import io.bellwether.evaluation.interval.Interval;
import io.bellwether.evaluation.interval.StudentT;
import io.bellwether.evaluation.offpolicy.Estimate;

/** How often a report on this growing log is looked at before somebody acts. */
public sealed interface Looks {

  /** Half the width of an interval that misses on each side with probability alpha. */
  double margin(Estimate.Estimated estimate, double alpha);

  Interval.Method method();

  /** The report runs once, at a cut-off fixed beforehand. */
  record Once() implements Looks {
    @Override
    public double margin(Estimate.Estimated estimate, double alpha) {
      return StudentT.quantile(1 - alpha, estimate.units() - 1.0) * estimate.standardError();
    }

    @Override
    public Interval.Method method() {
      return Interval.Method.STUDENT;
    }
  }

  /**
   * The report is run again and again until it passes; bounds hold at every look.
   *
   * @param plannedUnits the number of units at which they are tightest, fixed beforehand
   */
  record Repeated(long plannedUnits) implements Looks {
    public Repeated {
      if (plannedUnits < 100) {
        throw new IllegalArgumentException("plan at least 100 units, found " + plannedUnits);
      }
    }

    @Override
    public double margin(Estimate.Estimated estimate, double alpha) {
      return new AsymptoticSequence(alpha, plannedUnits)
          .oneSidedMargin(estimate.units(), estimate.standardError());
    }

    @Override
    public Interval.Method method() {
      return Interval.Method.ASYMPTOTIC_SEQUENCE;
    }
  }
}
