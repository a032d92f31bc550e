package io.bellwether.policy.version;

/** An alias that does not point where the mover thought. */
public class AliasConflictException extends RuntimeException {

  private static final long serialVersionUID = 1;

  AliasConflictException(String message) {
    super(message);
  }
}
