package io.bellwether.infra.platform;

import org.jspecify.annotations.Nullable;

/**
 * Kafka or Redis cannot run here. The message is for the operator: what failed, then what to do.
 */
public final class PlatformFailed extends Exception {
  private static final long serialVersionUID = 1L;

  private final String next;

  PlatformFailed(String message, String next, @Nullable Throwable cause) {
    super(message, cause);
    this.next = next;
  }

  /** What to do about it, as one sentence. */
  public String next() {
    return next;
  }
}
