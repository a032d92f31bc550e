package io.bellwether.serving.policy;

/** A version for which nobody vouches whose word counts, or whose signature was tampered with. */
final class UntrustedVersionException extends VersionRefusedException {

  private static final long serialVersionUID = 1;

  UntrustedVersionException(String reason) {
    super(reason);
  }
}
