package io.bellwether.serving.policy;

/** A version that must not serve: nobody vouches for it, or it does not do what it has to. */
class VersionRefusedException extends RuntimeException {

  private static final long serialVersionUID = 1;

  VersionRefusedException(String reason) {
    super(reason);
  }

  VersionRefusedException(String reason, Throwable cause) {
    super(reason, cause);
  }
}
