package io.bellwether.evaluation.experiment;

/**
 * Units with and without an event in two variants. Where a cell is small the normal approximation
 * of the difference of shares is poor and Fisher's exact test is offered beside it.
 *
 * <p>Source: Fisher, "Statistical Methods for Research Workers", 1934, section 21.02.
 *
 * @param controlEvents of {@code controlUnits}
 * @param treatmentEvents of {@code treatmentUnits}
 */
public record TwoByTwo(
    long controlEvents, long controlUnits, long treatmentEvents, long treatmentUnits) {
  private static final long SMALL_CELL = 10;

  /** Tables as likely as the observed one up to rounding count as such. */
  private static final double SAME = 1 + 1e-7;

  public TwoByTwo {
    if (controlEvents < 0
        || controlEvents > controlUnits
        || treatmentEvents < 0
        || treatmentEvents > treatmentUnits) {
      throw new IllegalArgumentException(
          "%d events of %d units against %d of %d"
              .formatted(controlEvents, controlUnits, treatmentEvents, treatmentUnits));
    }
  }

  /** Whether any of the four cells holds fewer than ten units. */
  public boolean small() {
    return Math.min(
            Math.min(controlEvents, controlUnits - controlEvents),
            Math.min(treatmentEvents, treatmentUnits - treatmentEvents))
        < SMALL_CELL;
  }

  /**
   * Two-sided p-value of "the same share": the chance of a table with these margins that is at most
   * as likely as this one. Its cost is the smallest margin.
   */
  public double exactP() {
    long events = controlEvents + treatmentEvents;
    long least = Math.max(0, events - treatmentUnits);
    long most = Math.min(events, controlUnits);
    double observed = 1;
    double likelier = 0;
    double others = 0;
    // Chances relative to the observed table: upwards, then downwards from it.
    double relative = 1;
    for (long cell = controlEvents; cell < most; cell++) {
      relative *=
          (double) (events - cell)
              / (cell + 1)
              * (controlUnits - cell)
              / (treatmentUnits - events + cell + 1);
      if (relative <= SAME) {
        others += relative;
      } else {
        likelier += relative;
      }
    }
    relative = 1;
    for (long cell = controlEvents; cell > least; cell--) {
      relative *=
          (double) cell
              / (events - cell + 1)
              * (treatmentUnits - events + cell)
              / (controlUnits - cell + 1);
      if (relative <= SAME) {
        others += relative;
      } else {
        likelier += relative;
      }
    }
    return Math.min(1, (observed + others) / (observed + others + likelier));
  }
}
