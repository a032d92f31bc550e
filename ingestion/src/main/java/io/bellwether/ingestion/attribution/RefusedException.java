package io.bellwether.ingestion.attribution;

/** An event that cannot be used: whoever wrote it is wrong. */
public final class RefusedException extends Exception {

  private static final long serialVersionUID = 1L;

  private final Reason reason;

  /**
   * @param detail what was found and what would be right
   */
  public RefusedException(Reason reason, String detail) {
    super(detail);
    this.reason = reason;
  }

  /** The kind of mistake. */
  public Reason reason() {
    return reason;
  }
}
