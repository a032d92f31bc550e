package io.bellwether.serving.policy;

import io.bellwether.policy.signature.KeyFolder;
import io.bellwether.policy.signature.TrustedKeys;
import io.bellwether.policy.version.Guard;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import io.bellwether.policy.version.Vouched;
import io.bellwether.serving.ServingConfig;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Whose versions may serve, and whose moves of aliases are followed. With keys, those that a
 * trusted key signed; what was tampered with never is, whether signatures are required or not. The
 * keys are read again when their files change. Thread-safe.
 */
@Singleton
final class SignatureCheck {

  /** What this process has seen of the release log, in the folder that is its own. */
  private static final String MEMORY = "releases-seen.json";

  private final Supplier<TrustedKeys> trusted;
  private final boolean required;
  private final @Nullable Path memory;

  /**
   * @throws IllegalArgumentException where signatures are required and there is no key, or a key
   *     cannot be read: the service must not start by trusting less than it was told
   */
  @Inject
  SignatureCheck(ServingConfig config) {
    this(
        keys(config),
        config
            .policySignatures()
            .map(ServingConfig.Signatures.REQUIRED::equals)
            .orElse(config.policyKeys().isPresent()),
        config.spool().resolve(MEMORY));
  }

  SignatureCheck(TrustedKeys trusted, boolean required) {
    this(() -> trusted, required, null);
  }

  SignatureCheck(Supplier<TrustedKeys> trusted, boolean required, @Nullable Path memory) {
    this.trusted = trusted;
    this.required = required;
    this.memory = memory;
    if (required && trusted.get().ids().isEmpty()) {
      throw new IllegalArgumentException(
          "bellwether.policy-signatures is REQUIRED and there is no key:"
              + " name the folder of the trusted public keys with bellwether.policy-keys");
    }
  }

  private static Supplier<TrustedKeys> keys(ServingConfig config) {
    TrustedKeys nobody = TrustedKeys.none();
    return config.policyKeys().<Supplier<TrustedKeys>>map(KeyFolder::new).orElse(() -> nobody);
  }

  /**
   * How the release log is read. Where anybody may write to it, nothing is remembered of it over a
   * restart: whoever replaces such a store need not tell its readers.
   */
  Guard guard() {
    return new Guard(trusted, required, required ? memory : null);
  }

  /** The keys that are trusted now; the same object as before where nothing has changed. */
  TrustedKeys keys() {
    return trusted.get();
  }

  /**
   * Who vouches for a version, in words.
   *
   * @throws UntrustedVersionException where it must not serve
   */
  String require(PolicyStore store, VersionId id) {
    Vouched vouched = store.vouched(id, trusted.get());
    if (vouched instanceof Vouched.By by) {
      return "key " + by.key();
    }
    if (vouched instanceof Vouched.Broken broken) {
      throw new UntrustedVersionException(broken.reason());
    }
    String reason = ((Vouched.Nobody) vouched).reason();
    if (required) {
      throw new UntrustedVersionException(
          reason + ", and bellwether.policy-signatures is REQUIRED");
    }
    return "nobody";
  }
}
