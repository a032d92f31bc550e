package io.bellwether.ingestion.metrics;

import io.bellwether.ingestion.event.Exposure;
import io.bellwether.ingestion.event.ExposureKind;

/**
 * A difference to what was counted of one variant in one slice of a phase. Immutable by convention:
 * nobody changes the arrays.
 *
 * @param slice the UTC day of the unit's first exposure, or a block of time
 * @param interleaved which columns the rows have, see {@link UnitColumns}
 * @param before the unit's columns as they are counted; empty: it is not
 * @param after the unit's columns as they are to be counted; empty: it is not to be
 * @param crossovers units that are excluded, more than before
 * @param exposures more than before
 * @param degraded more than before
 * @param forced more than before
 * @param decisionMicros of the exposure, 0 where there is none or it is unknown
 * @param agreement of a shadow's exposure
 * @param distance of a shadow's exposure
 * @param newestMicros when that happened, microseconds since the epoch
 */
public record NumbersChange(
    String surface,
    String experiment,
    int phase,
    String variant,
    boolean shadow,
    String slice,
    boolean interleaved,
    double[] before,
    double[] after,
    int crossovers,
    int exposures,
    int degraded,
    int forced,
    long decisionMicros,
    double agreement,
    double distance,
    long newestMicros) {

  private static final double[] NONE = {};

  /** One more exposure. */
  static NumbersChange exposed(Exposure exposure, String slice) {
    boolean shadow = exposure.getKind() == ExposureKind.SHADOW;
    boolean counts = !exposure.getForced();
    return new NumbersChange(
        exposure.getSurface(),
        exposure.getExperiment(),
        exposure.getPhase(),
        exposure.getVariant(),
        shadow,
        slice,
        !exposure.getTeams().isEmpty(),
        NONE,
        NONE,
        0,
        counts ? 1 : 0,
        counts && exposure.getDegraded() != null ? 1 : 0,
        counts ? 0 : 1,
        counts ? exposure.getDecisionMicros() : 0,
        counts ? exposure.getAgreement() : 0,
        counts ? exposure.getDistance() : 0,
        exposure.getExposedAtMicros());
  }

  /** The variant's numbers, as their topic and Redis name them. */
  public String key() {
    return (shadow ? "shadow/" : "") + experiment + "/" + phase + "/" + variant + "/" + slice;
  }
}
