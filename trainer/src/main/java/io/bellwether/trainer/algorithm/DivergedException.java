package io.bellwether.trainer.algorithm;

/**
 * Training left the range in which its numbers mean anything. Nothing of the run may be published.
 */
public final class DivergedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final long step;

  public DivergedException(long step, String reason) {
    super("training diverged at step " + step + ": " + reason);
    this.step = step;
  }

  /** The step, counted from 1, at which it was noticed. */
  public long step() {
    return step;
  }
}
