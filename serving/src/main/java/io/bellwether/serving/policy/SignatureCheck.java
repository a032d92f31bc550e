package io.bellwether.serving.policy;

import io.bellwether.policy.signature.TrustedKeys;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import io.bellwether.policy.version.Vouched;
import io.bellwether.serving.ServingConfig;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;

/**
 * Whose versions may serve. With keys, those that a trusted key signed; a version whose signature
 * was tampered with never does, whether signatures are required or not. Immutable.
 */
@Singleton
final class SignatureCheck {

  private final TrustedKeys trusted;
  private final boolean required;

  /**
   * @throws IllegalArgumentException where signatures are required and there is no key, or a key
   *     cannot be read: the service must not start by trusting less than it was told
   */
  @Inject
  SignatureCheck(ServingConfig config) {
    this(
        config.policyKeys().map(TrustedKeys::read).orElse(TrustedKeys.none()),
        config
            .policySignatures()
            .map(ServingConfig.Signatures.REQUIRED::equals)
            .orElse(config.policyKeys().isPresent()));
  }

  SignatureCheck(TrustedKeys trusted, boolean required) {
    this.trusted = trusted;
    this.required = required;
    if (required && trusted.ids().isEmpty()) {
      throw new IllegalArgumentException(
          "bellwether.policy-signatures is REQUIRED and there is no key:"
              + " name the folder of the trusted public keys with bellwether.policy-keys");
    }
  }

  /**
   * Who vouches for a version, in words.
   *
   * @throws VersionRefusedException where it must not serve
   */
  String require(PolicyStore store, VersionId id) {
    Vouched vouched = store.vouched(id, trusted);
    if (vouched instanceof Vouched.By by) {
      return "key " + by.key();
    }
    if (vouched instanceof Vouched.Broken broken) {
      throw new VersionRefusedException(broken.reason());
    }
    String reason = ((Vouched.Nobody) vouched).reason();
    if (required) {
      throw new VersionRefusedException(reason + ", and bellwether.policy-signatures is REQUIRED");
    }
    return "nobody";
  }
}
