package io.bellwether.evaluation.experiment;

import io.bellwether.evaluation.interval.AsymptoticSequence;
import io.bellwether.evaluation.interval.Normal;

/** How often one looks at an experiment before somebody acts on it. */
public sealed interface Monitoring {

  /** |effect|/standard error to reach at each of the looks, which are equally far apart. */
  double[] bounds(double alpha);

  /** At the planned end and never before. */
  record Once() implements Monitoring {
    @Override
    public double[] bounds(double alpha) {
      return new double[] {-Normal.quantile(alpha / 2)};
    }
  }

  /** At a few looks, with a group-sequential test. */
  record Planned(Spending spending, int looks) implements Monitoring {
    public Planned {
      if (looks < 1) {
        throw new IllegalArgumentException("at least one look, found " + looks);
      }
    }

    @Override
    public double[] bounds(double alpha) {
      return new GroupSequential(spending, alpha)
          .equalLooks(looks).stream().mapToDouble(GroupSequential.Look::bound).toArray();
    }
  }

  /** At any time, with an asymptotic confidence sequence that is tightest at the planned end. */
  record Always() implements Monitoring {
    /** More looks find an effect hardly more often. */
    private static final int LOOKS = 50;

    private static final int UNITS_PER_LOOK = 20_000;

    @Override
    public double[] bounds(double alpha) {
      AsymptoticSequence sequence = new AsymptoticSequence(alpha, LOOKS * UNITS_PER_LOOK);
      double[] bounds = new double[LOOKS];
      for (int look = 0; look < LOOKS; look++) {
        bounds[look] = sequence.twoSidedMargin((look + 1L) * UNITS_PER_LOOK, 1);
      }
      return bounds;
    }
  }
}
