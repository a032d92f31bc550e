package io.bellwether.serving.security;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bellwether.serving.ServingConfig;
import jakarta.inject.Singleton;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The keys that are accepted, kept as digests: those of callers, and those that may also see and
 * erase what the log holds of people. Immutable and thread-safe.
 */
@Singleton
public final class ApiKeys {

  private static final String BEARER = "Bearer ";

  private final boolean open;
  private final List<byte[]> digests;
  private final List<byte[]> adminDigests;

  ApiKeys(ServingConfig config) {
    open = config.auth() == ServingConfig.Auth.NONE;
    digests = config.apiKeys().orElse(List.of()).stream().map(ApiKeys::digest).toList();
    adminDigests = config.adminKeys().orElse(List.of()).stream().map(ApiKeys::digest).toList();
    if (!open && digests.isEmpty()) {
      throw new IllegalStateException(
          "bellwether.auth is keys and bellwether.api-keys is empty: nobody could call. Set a key,"
              + " or bellwether.auth=none on a machine of your own.");
    }
  }

  /**
   * The key that a caller sends, one way or the other.
   *
   * @param apiKey the header {@code X-API-Key}
   * @param authorization the header {@code Authorization}
   */
  public static Optional<String> sent(@Nullable String apiKey, @Nullable String authorization) {
    if (apiKey != null) {
      return Optional.of(apiKey);
    }
    return authorization != null && authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())
        ? Optional.of(authorization.substring(BEARER.length()).strip())
        : Optional.empty();
  }

  /** Whether anybody may call. */
  public boolean open() {
    return open;
  }

  /** Whether anybody may do what takes the scope {@code admin}: not where a key of it is set. */
  public boolean adminOpen() {
    return open && adminDigests.isEmpty();
  }

  /** Whether a key with the scope {@code admin} is set. */
  public boolean adminSet() {
    return !adminDigests.isEmpty();
  }

  /** Whether this is one of the keys; takes as long for a wrong one as for a right one. */
  public boolean accept(String key) {
    byte[] given = digest(key);
    return isIn(digests, given) | isIn(adminDigests, given);
  }

  /** Whether this is a key with the scope {@code admin}; takes as long for a wrong one. */
  public boolean admin(String key) {
    return isIn(adminDigests, digest(key));
  }

  private static boolean isIn(List<byte[]> digests, byte[] given) {
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
