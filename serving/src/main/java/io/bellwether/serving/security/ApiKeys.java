package io.bellwether.serving.security;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bellwether.serving.ServingConfig;
import jakarta.inject.Singleton;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

/** The keys that are accepted, kept as digests. Immutable and thread-safe. */
@Singleton
final class ApiKeys {

  private final boolean open;
  private final List<byte[]> digests;

  ApiKeys(ServingConfig config) {
    open = config.auth() == ServingConfig.Auth.NONE;
    digests = config.apiKeys().orElse(List.of()).stream().map(ApiKeys::digest).toList();
    if (!open && digests.isEmpty()) {
      throw new IllegalStateException(
          "bellwether.auth is keys and bellwether.api-keys is empty: nobody could call. Set a key,"
              + " or bellwether.auth=none on a machine of your own.");
    }
  }

  /** Whether anybody may call. */
  boolean open() {
    return open;
  }

  /** Whether this is one of the keys; takes as long for a wrong one as for a right one. */
  boolean accept(String key) {
    byte[] given = digest(key);
    boolean found = false;
    for (byte[] digest : digests) {
      found |= MessageDigest.isEqual(digest, given);
    }
    return found;
  }

  private static byte[] digest(String key) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(key.getBytes(UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
