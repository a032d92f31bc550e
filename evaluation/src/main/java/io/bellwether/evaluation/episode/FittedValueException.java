package io.bellwether.evaluation.episode;

/** Fitted values left the range that rewards and discount allow: {@link #REASON}. */
public final class FittedValueException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Machine-readable, for a refused estimate. */
  public static final String REASON = "FQE_DIVERGED";

  public FittedValueException(double value, double bound) {
    super(REASON + ": a value of " + value + " where rewards and discount allow " + bound);
  }
}
