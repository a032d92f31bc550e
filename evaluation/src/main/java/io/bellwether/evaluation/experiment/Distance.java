package io.bellwether.evaluation.experiment;

import io.bellwether.evaluation.interval.AsymptoticSequence;

/** How far a treatment is on the allowed side of a limit, or why nobody can tell. */
sealed interface Distance {

  /** Largest value of the distance that the data does not contradict, whenever one looks. */
  Figure upper(double alpha, double planned);

  /** Smallest such value. */
  Figure lower(double alpha, double planned);

  Figure estimate();

  /**
   * A distance with its error.
   *
   * @param units whose number the sequence counts
   */
  record Known(double value, double standardError, long units) implements Distance {

    @Override
    public Figure upper(double alpha, double planned) {
      return Figure.of(value + margin(alpha, planned));
    }

    @Override
    public Figure lower(double alpha, double planned) {
      return Figure.of(value - margin(alpha, planned));
    }

    @Override
    public Figure estimate() {
      return Figure.of(value);
    }

    private double margin(double alpha, double planned) {
      return new AsymptoticSequence(alpha, planned).oneSidedMargin(units, standardError);
    }
  }

  record Unknown(String reason) implements Distance {

    @Override
    public Figure upper(double alpha, double planned) {
      return estimate();
    }

    @Override
    public Figure lower(double alpha, double planned) {
      return estimate();
    }

    @Override
    public Figure estimate() {
      return new Figure.Unknown(reason);
    }
  }

  static Distance unknown(EffectOutcome effect) {
    return new Unknown(
        effect instanceof EffectOutcome.Undefined undefined
            ? undefined.reason().name()
            : EffectOutcome.Reason.NOT_FINITE.name());
  }
}
