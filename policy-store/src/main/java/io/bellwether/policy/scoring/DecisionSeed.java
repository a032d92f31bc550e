package io.bellwether.policy.scoring;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The seed of a decision: the first eight bytes, big-endian, of SHA-256 over the UTF-8 decision id.
 * Whoever has the id can repeat every draw that the decision made. Thread-safe.
 */
public final class DecisionSeed {

  private DecisionSeed() {}

  /** The seed of the decision with this id. */
  public static long seedOf(String decisionId) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(decisionId.getBytes(UTF_8));
      return ByteBuffer.wrap(digest).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
