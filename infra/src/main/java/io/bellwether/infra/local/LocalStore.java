package io.bellwether.infra.local;

import io.bellwether.policy.signature.SigningKey;
import io.bellwether.policy.version.AliasMove;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.PolicyVersion;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The policy store of a data folder and the key that vouches for its versions. The key is made when
 * a system first starts on the folder, and then signs the versions that are there already: whoever
 * can write to the folder can do that too. It guards against versions that came from elsewhere, and
 * against files that were damaged or mixed up.
 */
public final class LocalStore {

  private static final String WHO = "up";

  private LocalStore() {}

  /** The store; what is published here is signed, once the folder has its key. */
  public static PolicyStore open(Path data, Clock clock, Consumer<AliasMove> announcement) {
    return new PolicyStore(
        data.resolve("store"), clock, announcement, signingKey(data).orElse(null));
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

  /** Makes the key where there is none, and signs the versions that are there already. */
  public static void prepare(Path data, Clock clock) {
    if (signingKey(data).isPresent()) {
      return;
    }
    SigningKey key = SigningKey.generate();
    PolicyStore store = open(data, clock, move -> {});
    for (String name : store.names()) {
      for (PolicyVersion version : store.versions(name)) {
        store.sign(version.id(), key, WHO);
      }
    }
    key.writePublic(trustedKeys(data).resolve("local.pem"));
    key.write(keyFile(data));
  }
}
