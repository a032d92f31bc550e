package io.bellwether.policy.signature;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The public keys whose signatures count, by their ids. Immutable and thread-safe. */
public final class TrustedKeys {

  private static final String ENDING = ".pem";

  private final Map<KeyId, PublicKey> keys;

  private TrustedKeys(Map<KeyId, PublicKey> keys) {
    this.keys = Map.copyOf(keys);
  }

  /** Nobody's signature counts. */
  public static TrustedKeys none() {
    return new TrustedKeys(Map.of());
  }

  /** The key of one signer. */
  public static TrustedKeys of(SigningKey key) {
    return new TrustedKeys(Map.of(key.id(), key.published()));
  }

  /**
   * The keys of a folder's {@code *.pem} files, or of one file, each an Ed25519 {@code PUBLIC KEY}.
   *
   * @throws IllegalArgumentException where there is no key, or a file holds none: a typing mistake
   *     must not look like trust in nobody
   */
  public static TrustedKeys read(Path place) {
    Map<KeyId, PublicKey> keys = new HashMap<>();
    for (Path file : files(place)) {
      PublicKey key = readKey(file);
      keys.put(KeyId.of(key), key);
    }
    if (keys.isEmpty()) {
      throw new IllegalArgumentException("there is no public key (*.pem) in " + place);
    }
    return new TrustedKeys(keys);
  }

  public Set<KeyId> ids() {
    return keys.keySet();
  }

  /** Whether a trusted key has this id; other tools name theirs as they like. */
  boolean contains(String id) {
    return keys.keySet().stream().anyMatch(key -> key.value().equals(id));
  }

  /** Whether a trusted key of this id signed the message. */
  boolean verifies(KeyId id, byte[] message, byte[] signature) {
    PublicKey key = keys.get(id);
    return key != null && SigningKey.verifies(key, message, signature);
  }

  private static List<Path> files(Path place) {
    if (!Files.isDirectory(place)) {
      return List.of(place);
    }
    try (Stream<Path> found = Files.list(place)) {
      return found.filter(file -> file.toString().endsWith(ENDING)).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list the trusted keys in " + place, e);
    }
  }

  private static PublicKey readKey(Path file) {
    try {
      byte[] der = Pem.read(SigningKey.PUBLIC, Files.readString(file, US_ASCII));
      return KeyFactory.getInstance(SigningKey.ALGORITHM)
          .generatePublic(new X509EncodedKeySpec(der));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the trusted key " + file, e);
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          file + " is no " + SigningKey.ALGORITHM + " public key: " + e.getMessage(), e);
    }
  }
}
