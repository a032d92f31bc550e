package io.bellwether.trainer.bundle;

/** What was given is no bundle, or not the one that it says it is; nothing was imported. */
public final class BundleRefused extends RuntimeException {

  private static final long serialVersionUID = 1;

  BundleRefused(String reason) {
    super(reason);
  }

  BundleRefused(String reason, Throwable cause) {
    super(reason, cause);
  }
}
