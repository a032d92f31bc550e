package io.bellwether.infra.local;

import org.jspecify.annotations.Nullable;

/** The system cannot start, or a part of it ended. For the operator: what, then what to do. */
public final class LocalSystemFailed extends Exception {
  private static final long serialVersionUID = 1L;

  private final String next;

  LocalSystemFailed(String message, String next, @Nullable Throwable cause) {
    super(message, cause);
    this.next = next;
  }

  /** What to do about it, as one sentence. */
  public String next() {
    return next;
  }
}
