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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The public keys whose signatures count, by their ids, and those that no longer do. A key that is
 * rotated out stays trusted, so that what it signed goes on being so; one that is revoked never
 * was. Immutable and thread-safe.
 */
public final class TrustedKeys {

  /** The file beside the keys with the ids of those that are revoked, one a line. */
  public static final String REVOKED = "revoked";

  private static final String ENDING = ".pem";

  private final Map<KeyId, PublicKey> keys;
  private final Set<KeyId> revoked;

  private TrustedKeys(Map<KeyId, PublicKey> keys, Set<KeyId> revoked) {
    this.revoked = Set.copyOf(revoked);
    Map<KeyId, PublicKey> good = new HashMap<>(keys);
    good.keySet().removeAll(revoked);
    this.keys = Map.copyOf(good);
  }

  /** Nobody's signature counts. */
  public static TrustedKeys none() {
    return new TrustedKeys(Map.of(), Set.of());
  }

  /** The keys of these signers. */
  public static TrustedKeys of(SigningKey... keys) {
    Map<KeyId, PublicKey> trusted = new HashMap<>();
    for (SigningKey key : keys) {
      trusted.put(key.id(), key.published());
    }
    return new TrustedKeys(trusted, Set.of());
  }

  /** The same without a key, whose signatures are worth less than none. */
  public TrustedKeys revoking(KeyId key) {
    Set<KeyId> all = new HashSet<>(revoked);
    all.add(key);
    return new TrustedKeys(keys, all);
  }

  /**
   * The keys of a folder's {@code *.pem} files, or of one file, each an Ed25519 {@code PUBLIC KEY};
   * without those whose ids are in the folder's file {@link #REVOKED}.
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
    return new TrustedKeys(keys, revokedIn(place));
  }

  public Set<KeyId> ids() {
    return keys.keySet();
  }

  /** The keys that no longer count. */
  public Set<KeyId> revoked() {
    return revoked;
  }

  /** Whether a key of this id was revoked. */
  boolean isRevoked(String id) {
    return revoked.stream().anyMatch(key -> key.value().equals(id));
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

  /** One id a line; what follows a hash sign is for people. */
  private static Set<KeyId> revokedIn(Path place) {
    Path list = place.resolve(REVOKED);
    Set<KeyId> revoked = new HashSet<>();
    if (!Files.isDirectory(place) || !Files.exists(list)) {
      return revoked;
    }
    try {
      for (String line : Files.readAllLines(list, US_ASCII)) {
        String id = line.replaceFirst("#.*", "").strip();
        if (!id.isEmpty()) {
          revoked.add(new KeyId(id));
        }
      }
      return revoked;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the revoked keys " + list, e);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(list + ": " + e.getMessage(), e);
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
