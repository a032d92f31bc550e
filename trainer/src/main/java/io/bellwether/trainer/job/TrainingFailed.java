package io.bellwether.trainer.job;

/** A training run that published nothing; the message says why and what would help. */
public final class TrainingFailed extends RuntimeException {

  private static final long serialVersionUID = 1;

  /** Why a run came to nothing. */
  public enum Kind {
    /** The data cannot be trained on. */
    INVALID_DATA,
    /** Losses or values left the range in which they mean something. */
    DIVERGED,
    /** The exported graph does not compute what was trained. */
    EXPORT_DIFFERS
  }

  private final Kind kind;

  TrainingFailed(Kind kind, String reason) {
    super(reason);
    this.kind = kind;
  }

  /** Why. */
  public Kind kind() {
    return kind;
  }
}
