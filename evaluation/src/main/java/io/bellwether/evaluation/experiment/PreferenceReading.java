package io.bellwether.evaluation.experiment;

import io.bellwether.evaluation.report.Bounds;

/**
 * Which of two interleaved rankings subjects prefer by one signal. It ranks them and says nothing
 * about the size of an effect elsewhere.
 *
 * @param signal whose credit is counted
 * @param variant the treatment, team 1
 * @param wins units that prefer the treatment: with more credit for it, of a signal that is better
 *     low with less
 * @param losses units that prefer the control
 * @param ties units with as much for both, also none
 * @param preference (wins + ties/2)/units − 1/2, in [−1/2, 1/2]
 * @param signP exact two-sided sign test, for one planned look
 * @param creditPerUnit mean of the treatment's credit minus the control's
 * @param sequence of the mean credit, valid at every look
 * @param sequenceP always-valid, at this look
 */
public record PreferenceReading(
    String signal,
    String variant,
    Direction direction,
    MetricReading.Status status,
    String reason,
    long wins,
    long losses,
    long ties,
    Figure preference,
    Figure signP,
    Figure creditPerUnit,
    Bounds sequence,
    Figure sequenceP) {}
