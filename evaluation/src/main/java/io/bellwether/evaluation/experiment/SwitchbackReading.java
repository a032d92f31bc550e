package io.bellwether.evaluation.experiment;

import io.bellwether.evaluation.report.Bounds;

/**
 * A metric over blocks of time, each wholly one variant's; a block is one observation.
 *
 * @param difference mean of the treatment's blocks minus mean of the control's
 * @param welch 95 % by Student's test over pairs of blocks, or by Welch's over blocks without pairs
 * @param welchP of the same
 * @param randomisationP share of the possible designs with a difference at least as large
 * @param randomisation 95 % by inversion of the randomisation test
 * @param designs how many designs were enumerated or drawn
 * @param autocorrelation of neighbouring blocks' residuals; above 0.2 errors are too small
 */
public record SwitchbackReading(
    String metric,
    Role role,
    String variant,
    int controlBlocks,
    int treatmentBlocks,
    Figure difference,
    Bounds welch,
    Figure welchP,
    Figure randomisationP,
    Bounds randomisation,
    long designs,
    Figure autocorrelation) {}
