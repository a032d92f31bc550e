package io.bellwether.infra.local;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.bellwether.policy.signature.KeyFolder;
import io.bellwether.policy.signature.KeyId;
import io.bellwether.policy.signature.SigningKey;
import io.bellwether.policy.signature.TrustedKeys;
import io.bellwether.policy.version.AliasMove;
import io.bellwether.policy.version.Guard;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.PolicyVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The policy store of a data folder and the key that vouches for its versions. The key is made when
 * a system first starts on the folder, and then signs the versions that are there already: whoever
 * can write to the folder can do that too. It guards against versions that came from elsewhere, and
 * against files that were damaged or mixed up.
 */
public final class LocalStore {

  private static final String WHO = "up";

  private LocalStore() {}

  /**
   * The store; once the folder has its key, what is published or moved here is signed, and nothing
   * is built on what nobody signed.
   */
  public static PolicyStore open(Path data, Clock clock, Consumer<AliasMove> announcement) {
    return open(data, clock, announcement, signingKey(data).orElse(null));
  }

  /**
   * The store, to somebody who signs with this key. What a key signs that the folder does not trust
   * is refused before it is written: nobody would follow the log beyond it.
   */
  public static PolicyStore open(
      Path data, Clock clock, Consumer<AliasMove> announcement, @Nullable SigningKey key) {
    PolicyStore store = new PolicyStore(data.resolve("store"), clock, announcement, key);
    return signingKey(data).isEmpty()
        ? store
        : store.guardedBy(new Guard(new KeyFolder(trustedKeys(data)), true, null));
  }

  /** The key that signs; empty before a system first started on the folder. */
  public static Optional<SigningKey> signingKey(Path data) {
    Path file = keyFile(data);
    return Files.exists(file) ? Optional.of(SigningKey.read(file)) : Optional.empty();
  }

  /** Where the key is. Its owner alone can read it. */
  public static Path keyFile(Path data) {
    return data.resolve("keys").resolve("signing.pem");
  }

  /** Where the public keys are whose signatures count on this folder. */
  public static Path trustedKeys(Path data) {
    return data.resolve("keys").resolve("trusted");
  }

  /**
   * Makes the key where there is none, and signs the versions and releases that are there already;
   * also what an earlier version of this program has moved, which had no log to sign.
   */
  public static void prepare(Path data, Clock clock) {
    PolicyStore store = new PolicyStore(data.resolve("store"), clock);
    Optional<SigningKey> before = signingKey(data);
    if (before.isPresent()) {
      if (store.releases().all().isEmpty()) {
        adopt(store, before.get());
      }
      return;
    }
    SigningKey key = SigningKey.generate();
    for (String name : store.names()) {
      for (PolicyVersion version : store.versions(name)) {
        store.sign(version.id(), key, WHO);
      }
    }
    adopt(store, key);
    key.writePublic(trustedKeys(data).resolve("local.pem"));
    key.write(keyFile(data));
  }

  /** Lets a new key sign; the one of before stays trusted, and is kept beside it. */
  public static SigningKey rotate(Path data) {
    SigningKey before = SigningKey.read(keyFile(data));
    SigningKey key = SigningKey.generate();
    key.writePublic(trustedKeys(data).resolve(key.id() + ".pem"));
    Path next = keyFile(data).resolveSibling("next.pem");
    key.write(next);
    try {
      Files.move(keyFile(data), keyFile(data).resolveSibling("was-" + before.id() + ".pem"));
      Files.move(next, keyFile(data));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot put the new key in its place", e);
    }
    return key;
  }

  /** Trusts a key no more; running services notice. */
  public static void revoke(Path data, KeyId key) {
    try {
      Files.writeString(
          trustedKeys(data).resolve(TrustedKeys.REVOKED),
          key.value() + "\n",
          US_ASCII,
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot revoke the key " + key, e);
    }
  }

  private static void adopt(PolicyStore store, SigningKey key) {
    TrustedKeys trusted = TrustedKeys.of(key);
    PolicyStore guarded = store.guardedBy(new Guard(() -> trusted, true, null));
    if (guarded.releases().defect().isPresent()) {
      guarded.releases().adopt(key, WHO, "was there when the folder got its key");
    }
  }
}
