package io.bellwether.trainer.survey;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.math.BigInteger;
import java.util.HexFormat;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Counts over the decisions that are used. Parts are joined in any order. Mutable and confined to
 * one thread.
 */
final class Tally {

  /** More policy versions than this in one log are a mistake in the log. */
  private static final int MOST_NAMES = 4096;

  private static final int DIGEST_BYTES = 32;
  private static final BigInteger DIGESTS = BigInteger.ONE.shiftLeft(8 * DIGEST_BYTES);

  private long decisions;
  private long rows;
  private long restated;
  private long superseded;
  private long firstMicros = Long.MAX_VALUE;
  private long lastMicros = Long.MIN_VALUE;
  private final SortedMap<String, Long> loggers = new TreeMap<>();
  private final SortedMap<String, Long> degraded = new TreeMap<>();
  private BigInteger digest = BigInteger.ZERO;

  /**
   * Counts a decision.
   *
   * @param counted its transition that counts
   * @param others how many more there are
   */
  void add(Mention counted, long others) {
    decisions++;
    rows += counted.rows();
    restated += counted.revision() > 0 ? 1 : 0;
    superseded += others;
    firstMicros = Math.min(firstMicros, counted.decidedAtMicros());
    lastMicros = Math.max(lastMicros, counted.decidedAtMicros());
    count(counted.logger(), 1, loggers);
    if (!counted.degraded().isEmpty()) {
      count(counted.degraded(), 1, degraded);
    }
    digest = digest.add(new BigInteger(1, counted.sha256())).mod(DIGESTS);
  }

  private static void count(String name, long times, Map<String, Long> counts) {
    counts.merge(name, times, Long::sum);
    if (counts.size() > MOST_NAMES) {
      throw new IllegalStateException(
          "the log has more than " + MOST_NAMES + " policy versions or reasons of degradation");
    }
  }

  void merge(Tally other) {
    decisions += other.decisions;
    rows += other.rows;
    restated += other.restated;
    superseded += other.superseded;
    firstMicros = Math.min(firstMicros, other.firstMicros);
    lastMicros = Math.max(lastMicros, other.lastMicros);
    other.loggers.forEach((name, times) -> count(name, times, loggers));
    other.degraded.forEach((name, times) -> count(name, times, degraded));
    digest = digest.add(other.digest).mod(DIGESTS);
  }

  long decisions() {
    return decisions;
  }

  long rows() {
    return rows;
  }

  long restated() {
    return restated;
  }

  /** Transitions that are not the one of their decision that counts. */
  long superseded() {
    return superseded;
  }

  /** Of the first decision; only where there is one. */
  long firstMicros() {
    return firstMicros;
  }

  /** Of the last decision; only where there is one. */
  long lastMicros() {
    return lastMicros;
  }

  SortedMap<String, Long> loggers() {
    return loggers;
  }

  SortedMap<String, Long> degraded() {
    return degraded;
  }

  /** Hexadecimal, 64 digits. */
  String digest() {
    byte[] bytes = new byte[DIGEST_BYTES];
    byte[] number = digest.toByteArray();
    int length = Math.min(number.length, DIGEST_BYTES);
    System.arraycopy(number, number.length - length, bytes, DIGEST_BYTES - length, length);
    return HexFormat.of().formatHex(bytes);
  }

  void write(DataOutput out) throws IOException {
    out.writeLong(decisions);
    out.writeLong(rows);
    out.writeLong(restated);
    out.writeLong(superseded);
    out.writeLong(firstMicros);
    out.writeLong(lastMicros);
    write(loggers, out);
    write(degraded, out);
    out.writeUTF(digest.toString(16));
  }

  static Tally read(DataInput in) throws IOException {
    Tally read = new Tally();
    read.decisions = in.readLong();
    read.rows = in.readLong();
    read.restated = in.readLong();
    read.superseded = in.readLong();
    read.firstMicros = in.readLong();
    read.lastMicros = in.readLong();
    read(in, read.loggers);
    read(in, read.degraded);
    read.digest = new BigInteger(in.readUTF(), 16);
    return read;
  }

  private static void write(Map<String, Long> counts, DataOutput out) throws IOException {
    out.writeInt(counts.size());
    for (Map.Entry<String, Long> each : counts.entrySet()) {
      out.writeUTF(each.getKey());
      out.writeLong(each.getValue());
    }
  }

  private static void read(DataInput in, Map<String, Long> counts) throws IOException {
    for (int left = in.readInt(); left > 0; left--) {
      counts.put(in.readUTF(), in.readLong());
    }
  }
}
