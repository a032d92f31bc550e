package io.bellwether.trainer.data;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeSet;

/**
 * What validation found, counted, with a few examples of each. Parts that were counted apart are
 * joined with {@link #merge}, and the result does not depend on how the data was split. Mutable and
 * confined to one thread.
 */
public final class Findings {

  /** Enough to see a pattern, few enough to read. */
  private static final int EXAMPLES = 3;

  private final Map<Finding, Tally> tallies = new EnumMap<>(Finding.class);
  private long read;

  private static final class Tally {
    private long count;
    private final TreeSet<String> examples = new TreeSet<>();
  }

  /** Counts a transition that was read, whatever comes of it. */
  void countRead() {
    read++;
  }

  /**
   * Counts a finding.
   *
   * @param example where it was found and what it was
   */
  void add(Finding finding, String example) {
    Tally tally = tallies.computeIfAbsent(finding, f -> new Tally());
    tally.count++;
    keep(tally, example);
  }

  /** Counts a transition of a decision of which a later revision, or another copy, is used. */
  public void countSuperseded(String decisionId) {
    add(Finding.SUPERSEDED, decisionId);
  }

  /** Adds what was found elsewhere. */
  public void merge(Findings other) {
    read += other.read;
    other.tallies.forEach(
        (finding, tally) -> {
          Tally mine = tallies.computeIfAbsent(finding, f -> new Tally());
          mine.count += tally.count;
          tally.examples.forEach(example -> keep(mine, example));
        });
  }

  private static void keep(Tally tally, String example) {
    tally.examples.add(example);
    if (tally.examples.size() > EXAMPLES) {
      tally.examples.pollLast();
    }
  }

  /** Transitions that were read. */
  public long read() {
    return read;
  }

  /** How often this was found. */
  public long count(Finding finding) {
    Tally tally = tallies.get(finding);
    return tally == null ? 0 : tally.count;
  }

  /** All counts above 0, in the order of {@link Finding}. */
  public Map<Finding, Long> counts() {
    Map<Finding, Long> counts = new EnumMap<>(Finding.class);
    tallies.forEach((finding, tally) -> counts.put(finding, tally.count));
    return counts;
  }

  /** Whether anything was found that forbids training. */
  public boolean fatal() {
    return tallies.keySet().stream().anyMatch(Finding::fatal);
  }

  /** One line per finding, with examples of the fatal ones. */
  public String words() {
    StringBuilder text = new StringBuilder();
    tallies.forEach(
        (finding, tally) -> {
          text.append(text.isEmpty() ? "" : "\n").append(tally.count).append(' ');
          text.append(finding.words());
          if (finding.fatal()) {
            text.append(", for instance ").append(String.join("; ", tally.examples));
          }
        });
    return text.toString();
  }

  /** Writes all counts and examples, for {@link #read(DataInput)}. */
  public void write(DataOutput out) throws IOException {
    out.writeLong(read);
    out.writeInt(tallies.size());
    for (Map.Entry<Finding, Tally> entry : tallies.entrySet()) {
      out.writeUTF(entry.getKey().name());
      out.writeLong(entry.getValue().count);
      out.writeInt(entry.getValue().examples.size());
      for (String example : entry.getValue().examples) {
        out.writeUTF(example);
      }
    }
  }

  /** Findings as {@link #write} wrote them. */
  public static Findings read(DataInput in) throws IOException {
    Findings findings = new Findings();
    findings.read = in.readLong();
    for (int left = in.readInt(); left > 0; left--) {
      Tally tally = new Tally();
      findings.tallies.put(Finding.valueOf(in.readUTF()), tally);
      tally.count = in.readLong();
      for (int examples = in.readInt(); examples > 0; examples--) {
        tally.examples.add(in.readUTF());
      }
    }
    return findings;
  }
}
