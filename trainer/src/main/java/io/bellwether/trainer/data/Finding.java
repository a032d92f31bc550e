package io.bellwether.trainer.data;

/** What validation can find in a logged transition. */
public enum Finding {

  /** Decided on another surface. Left out. */
  OTHER_SURFACE(false, "decisions of another surface"),

  /**
   * Forced, cached or answered without a policy: its chance is not one that can be learned from.
   */
  NOT_LEARNABLE(false, "decisions marked as not learnable"),

  /** Imported from a log that had no propensities: only who imitates needs none. Left out. */
  NO_PROPENSITY(false, "decisions without propensities, which only imitation can use"),

  /** Used, with weights that are as good as the estimate. */
  ESTIMATED_PROPENSITY(false, "decisions whose propensities were estimated afterwards"),

  /** Of a subject whose decisions are left to the other use: learning or judging. Left out. */
  OTHER_SUBJECTS(false, "decisions of subjects that are not used here"),

  /**
   * Encoded before the surface's features changed, by a declaration that the archive does not keep
   * or that differs too much. Left out.
   */
  OTHER_FEATURES(false, "decisions with another layout of features"),

  /** Not known yet at the time as of which is read. Left out. */
  NOT_YET_KNOWN(false, "transitions that were not known then"),

  /** Decided after what is used here, which is left to judging. Left out. */
  DECIDED_LATER(false, "decisions that were made later than those that are used here"),

  /** Shown nothing: there was no candidate that could be chosen. Left out. */
  EMPTY_SLATE(false, "decisions that showed nothing"),

  /** An earlier revision of a decision that was restated, or a copy. Left out. */
  SUPERSEDED(false, "transitions that a later revision restates"),

  /** Both terminated and truncated; counts as terminated. */
  BOTH_ENDS(false, "steps marked both terminated and truncated"),

  /** The next decision of the session is not in the data: treated as truncated there. */
  NEXT_MISSING(false, "steps whose next decision is not in the data"),

  /** A signal that the surface does not declare (any more). That value is left out. */
  UNKNOWN_SIGNAL(false, "signal values that the surface does not declare"),

  /** Rows of floats do not have the width that the layout asks for. */
  WRONG_WIDTH(true, "decisions whose encoded rows have the wrong length"),

  /** A feature is NaN, infinite or enormous. */
  FEATURE_OUT_OF_RANGE(true, "decisions with a feature that is not finite or enormous"),

  /** The slate names a candidate that is not there, or one twice. */
  WRONG_SLATE(true, "decisions whose slate does not fit their candidates"),

  /** A propensity outside (0, 1]. */
  WRONG_PROPENSITY(true, "decisions with a propensity outside (0, 1]"),

  /** The logged scores give another propensity than the logged one. */
  PROPENSITY_MISMATCH(true, "decisions whose propensity does not follow from their logged scores"),

  /** A signal's value is not finite, or it names a position that is not in the slate. */
  WRONG_SIGNAL(true, "transitions with a wrong signal value"),

  /** Two decisions with one row id. */
  DUPLICATE_ROW_ID(true, "rows whose id belongs to another decision"),

  /** The next decision belongs to another session. */
  NEXT_OF_ANOTHER_SESSION(true, "steps whose next decision is of another session");

  private final boolean fatal;
  private final String words;

  Finding(boolean fatal, String words) {
    this.fatal = fatal;
    this.words = words;
  }

  /** Whether nothing may be trained on data with this finding. */
  public boolean fatal() {
    return fatal;
  }

  /** What was found, for a sentence that begins with a number. */
  public String words() {
    return words;
  }
}
