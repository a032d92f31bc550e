package io.bellwether.evaluation.experiment;

/** Something to know before acting on a reading. */
public record Caveat(Code code, String words) {

  /** Every kind of caveat. */
  public enum Code {
    STALE_NUMBERS,
    SAMPLE_RATIO_MISMATCH,
    CROSSOVERS,
    MISMATCH_ON_A_DAY,
    UNEQUAL_CAPPING,
    LESS_THAN_SEVEN_DAYS,
    NOT_WHOLE_WEEKS,
    NOVELTY,
    SHARES_CHANGED,
    UNPLANNED_PHASES,
    ADAPTIVE_SHARES,
    VERSIONS_CHANGED,
    PREFERENCE_ONLY,
    FEW_BLOCKS,
    AUTOCORRELATED_BLOCKS,
    SHADOW_SHOWS_NO_REACTION,
    STOPPED_ESTIMATE
  }
}
