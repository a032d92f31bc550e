package io.bellwether.trainer.algorithm;

/**
 * Rows that no learner can use; the message names the row, what was found and what would be right.
 */
public final class InvalidLearnerDataException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public InvalidLearnerDataException(String message) {
    super(message);
  }
}
