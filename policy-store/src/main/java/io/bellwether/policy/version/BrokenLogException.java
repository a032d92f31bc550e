package io.bellwether.policy.version;

/**
 * A release log, or list of versions, that is not as it was written, or that nobody vouches for
 * whose word is asked for. What it says last is not to be followed; what was followed before stays.
 */
public final class BrokenLogException extends RuntimeException {

  private static final long serialVersionUID = 1;

  BrokenLogException(String message) {
    super(message);
  }
}
