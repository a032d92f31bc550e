package io.bellwether.serving.subject;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.bellwether.policy.object.Journal;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * The chain of all receipts, beside the policies: each names the digest of the one before it, so
 * that none can be changed, dropped or slipped in without breaking all that follow. Appending is a
 * compare-and-set, over all processes that share the folder. Thread-safe.
 */
final class Receipts {

  /** What the first receipt names. */
  static final String NOTHING = "0".repeat(64);

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .addModule(new JavaTimeModule())
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  private final Journal journal;
  private final Map<String, Kept> byJob = new HashMap<>();
  private String last = NOTHING;
  private long read;

  /** A receipt, and the digest that the next one names. */
  record Kept(Receipt receipt, String digest) {}

  Receipts(Journal journal) {
    this.journal = journal;
  }

  /**
   * The receipt of a job; empty while there is none.
   *
   * @throws ProblemException where the chain is broken
   */
  synchronized Optional<Kept> find(String job) {
    catchUp();
    return Optional.ofNullable(byJob.get(job));
  }

  /**
   * Appends the receipt of a job, unless it has one.
   *
   * @param receipt made from its sequence and the digest of the one before
   */
  synchronized Kept append(String job, BiFunction<Long, String, Receipt> receipt) {
    while (true) {
      catchUp();
      Kept known = byJob.get(job);
      if (known != null) {
        return known;
      }
      byte[] bytes = write(receipt.apply(read + 1, last));
      if (journal.append(read + 1, bytes)) {
        take(bytes);
      }
    }
  }

  private void catchUp() {
    long latest = journal.last();
    while (read < latest) {
      take(journal.read(read + 1));
    }
  }

  private void take(byte[] bytes) {
    Receipt receipt = read(bytes);
    if (receipt.sequence() != read + 1 || !receipt.previous().equals(last)) {
      throw ProblemException.of(
          Slug.INTERNAL,
          "The chain of receipts is broken at number %d: somebody changed it.".formatted(read + 1));
    }
    last = sha256(bytes);
    read++;
    byJob.put(receipt.job(), new Kept(receipt, last));
  }

  private static byte[] write(Receipt receipt) {
    try {
      return MAPPER.writeValueAsBytes(receipt);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException("cannot write a receipt", e);
    }
  }

  private static Receipt read(byte[] bytes) {
    try {
      return MAPPER.readValue(bytes, Receipt.class);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read a receipt", e);
    }
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
