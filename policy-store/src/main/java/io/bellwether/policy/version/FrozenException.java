package io.bellwether.policy.version;

/** A move or pin of a policy that is frozen. */
public final class FrozenException extends AliasConflictException {

  private static final long serialVersionUID = 1;

  FrozenException(String message) {
    super(message);
  }
}
