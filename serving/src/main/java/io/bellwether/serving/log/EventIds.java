package io.bellwether.serving.log;

import jakarta.inject.Singleton;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;

/**
 * Ids for what callers did not name: ULIDs, 48 bits of milliseconds and 80 random bits in
 * Crockford's base 32, so that they sort by time. Thread-safe.
 */
@Singleton
public final class EventIds {

  private static final char[] DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ".toCharArray();
  private static final int TIME_DIGITS = 10;
  private static final int RANDOM_DIGITS = 16;

  private final Clock clock;
  private final SecureRandom random = new SecureRandom();

  EventIds(Clock clock) {
    this.clock = clock;
  }

  /**
   * When an id was given; empty for an id that is none of these. One that a client chose to look
   * like them names some time or other.
   */
  public static Optional<Instant> timeOf(String id) {
    if (id.length() != TIME_DIGITS + RANDOM_DIGITS) {
      return Optional.empty();
    }
    long millis = 0;
    for (int i = 0; i < TIME_DIGITS; i++) {
      int digit = Arrays.binarySearch(DIGITS, id.charAt(i));
      if (digit < 0) {
        return Optional.empty();
      }
      millis = millis << 5 | digit;
    }
    return Optional.of(Instant.ofEpochMilli(millis));
  }

  /** A new id of 26 characters. */
  public String next() {
    char[] id = new char[TIME_DIGITS + RANDOM_DIGITS];
    long millis = clock.millis();
    for (int i = TIME_DIGITS - 1; i >= 0; i--) {
      id[i] = DIGITS[(int) (millis & 31)];
      millis >>>= 5;
    }
    byte[] bits = new byte[RANDOM_DIGITS];
    random.nextBytes(bits);
    for (int i = 0; i < RANDOM_DIGITS; i++) {
      id[TIME_DIGITS + i] = DIGITS[bits[i] & 31];
    }
    return new String(id);
  }
}
