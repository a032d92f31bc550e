package io.bellwether.evaluation.experiment;

/**
 * Where a treatment stands against the limit of one metric, in one phase. Distances are oriented:
 * above 0 is the allowed side.
 *
 * @param variant the treatment
 * @param harmLimit below which harm is shown, in words
 * @param toleratedLimit above which the treatment is as good as asked for, in words
 * @param alpha error of each of the two one-sided bounds, over all looks
 * @param difference treatment minus control, in the metric's unit
 * @param harmDistance estimated distance to the harm limit
 * @param harmBound upper bound of that distance; below 0, harm is shown
 * @param toleratedDistance estimated distance to the tolerated limit
 * @param establishedBound lower bound of that distance; at least 0, non-inferiority is established
 * @param harmful whether harm is shown at this look
 * @param refuted whether the treatment is shown to be beyond the tolerated limit
 * @param established whether the treatment is shown to keep the tolerated limit
 * @param reason why the bounds say nothing yet, machine-readable; empty where they do
 */
public record GuardrailReading(
    int phase,
    String metric,
    Role role,
    String variant,
    String harmLimit,
    String toleratedLimit,
    double alpha,
    Figure difference,
    Figure harmDistance,
    Figure harmBound,
    Figure toleratedDistance,
    Figure establishedBound,
    boolean harmful,
    boolean refuted,
    boolean established,
    String reason) {

  String key() {
    return variant + "/" + metric;
  }
}
