package io.bellwether.policy.version;

import io.bellwether.policy.signature.KeyId;

/** Whether somebody whom we trust vouches for a version. */
public sealed interface Vouched {

  /** A trusted key signed the version's manifest, and so each of its files. */
  record By(KeyId key) implements Vouched {}

  /** No signature of the version is by a trusted key. */
  record Nobody(String reason) implements Vouched {}

  /**
   * A signature that names a trusted key, or the version's own entry, is not what it should be:
   * somebody altered it. Never to be served, whether signatures are required or not.
   */
  record Broken(String reason) implements Vouched {}
}
