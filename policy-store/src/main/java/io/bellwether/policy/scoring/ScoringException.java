package io.bellwether.policy.scoring;

/** A graph that could not be opened or run; the policy that it belongs to is of no use. */
public final class ScoringException extends RuntimeException {

  private static final long serialVersionUID = 1;

  ScoringException(String message) {
    super(message);
  }

  ScoringException(String message, Throwable cause) {
    super(message, cause);
  }
}
