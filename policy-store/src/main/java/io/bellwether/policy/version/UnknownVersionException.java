package io.bellwether.policy.version;

/** A version that was never published here. */
public final class UnknownVersionException extends RuntimeException {

  private static final long serialVersionUID = 1;

  UnknownVersionException(String message) {
    super(message);
  }
}
