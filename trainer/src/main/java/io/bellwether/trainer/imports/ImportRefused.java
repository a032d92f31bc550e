package io.bellwether.trainer.imports;

/**
 * An input that cannot be imported as a whole; the message says what was found and what is right.
 */
public final class ImportRefused extends RuntimeException {

  private static final long serialVersionUID = 1;

  public ImportRefused(String message) {
    super(message);
  }
}
