package io.bellwether.trainer.imports;

/** One line that could not be read; the message is the reason, for the rejects file. */
public final class UnreadableLine extends Exception {

  private static final long serialVersionUID = 1;

  private final String reason;

  public UnreadableLine(String reason) {
    super(reason, null, false, false);
    this.reason = reason;
  }

  /** What was found and what would be right. */
  public String reason() {
    return reason;
  }
}
