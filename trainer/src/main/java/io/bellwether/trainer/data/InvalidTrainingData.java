package io.bellwether.trainer.data;

/** Data that must not be trained on; the message says what was found, how often, and where. */
public final class InvalidTrainingData extends RuntimeException {

  private static final long serialVersionUID = 1;

  public InvalidTrainingData(String message) {
    super(message);
  }
}
