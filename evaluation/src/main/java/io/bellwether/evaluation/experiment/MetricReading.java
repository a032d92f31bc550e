package io.bellwether.evaluation.experiment;

import io.bellwether.evaluation.report.Bounds;

/**
 * What the numbers say of one metric under one treatment against the control.
 *
 * @param variant the treatment
 * @param status the conclusion by the plan's method, several questions taken into account
 * @param reason why there is no conclusion, machine-readable; empty where there is one
 * @param alpha the error that {@code status} accepts: the plan's, shared between its phases
 * @param control the control's value in the metric's unit
 * @param difference treatment minus control
 * @param lift the difference as a share of the control's value
 * @param liftInterval the sequence on the lift
 * @param sequence confidence sequence of the difference, valid at every look
 * @param sequenceP always-valid p-value: the smallest so far of the looks with a difference of this
 *     sign
 * @param adjustedP the method's p-value after Holm (primary) or Benjamini–Hochberg (others)
 */
public record MetricReading(
    String metric,
    Role role,
    Direction direction,
    String variant,
    Status status,
    String reason,
    double alpha,
    Figure control,
    Figure treatment,
    Figure difference,
    Figure standardError,
    Figure lift,
    Bounds liftInterval,
    long controlUnits,
    long treatmentUnits,
    Bounds sequence,
    Figure sequenceP,
    Figure adjustedP,
    FixedReading fixed,
    MixtureReading mixture,
    GroupReading group,
    BayesReading bayes) {

  /** The phase's number under which the row over all phases is remembered. */
  static final int ALL_PHASES = 0;

  /** What is known by now. */
  public enum Status {
    BETTER,
    WORSE,
    /** Enough units for a conclusion, and none yet. */
    UNDECIDED,
    /** Too few units or too early for the method. */
    TOO_EARLY,
    /** The numbers are void or do not allow it; the reason says why. */
    WITHHELD
  }

  MetricReading concluded(Status conclusion, String why, Figure adjusted) {
    return new MetricReading(
        metric,
        role,
        direction,
        variant,
        conclusion,
        why,
        alpha,
        control,
        treatment,
        difference,
        standardError,
        lift,
        liftInterval,
        controlUnits,
        treatmentUnits,
        sequence,
        sequenceP,
        adjusted,
        fixed,
        mixture,
        group,
        bayes);
  }

  /** Names the row among those of one phase. */
  String key() {
    return variant + "/" + metric;
  }
}
