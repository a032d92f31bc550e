package io.bellwether.policy.object;

/** Stored bytes that are missing, cut short or altered. */
public final class CorruptObjectException extends RuntimeException {

  private static final long serialVersionUID = 1;

  CorruptObjectException(String message) {
    super(message);
  }
}
