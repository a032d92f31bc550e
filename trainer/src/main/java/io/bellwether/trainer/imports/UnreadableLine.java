package io.bellwether.trainer.imports;

/** One line that could not be read; the message is the reason, for the rejects file. */
final class UnreadableLine extends Exception {

  private static final long serialVersionUID = 1;

  UnreadableLine(String reason) {
    super(reason, null, false, false);
  }
}
