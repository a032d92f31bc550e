package io.bellwether.loadtest.people;

/**
 * A variant of the short-video world. Constants: specification of {@code ShortVideoSim-v1}, "One
 * step".
 */
public enum Profile {
  /** Rates of reactions near those of the KuaiRand data set. */
  KUAIRAND,
  /**
   * All reactions but the click are more frequent; people watch and leave as in {@link #KUAIRAND}.
   */
  DENSE,
  /** A click moves the person's taste a little towards the video. */
  DRIFT,
  /** Between 8 and 32 candidates in place of 20. */
  RAGGED,
  /** Each candidate is missing with a chance of 0.1. */
  MASKED;

  private static final double DENSE_SHIFT = 1.5;

  /** What is added to the constant term of every reaction after the click. */
  double rareReactionShift() {
    return this == DENSE ? DENSE_SHIFT : 0;
  }
}
