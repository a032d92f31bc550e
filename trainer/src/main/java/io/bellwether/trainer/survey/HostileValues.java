package io.bellwether.trainer.survey;

import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Placement;
import io.bellwether.ingestion.event.SignalValue;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.trainer.data.Finding;
import io.bellwether.trainer.data.Findings;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What makes a log one that cannot be evaluated, by the codes of reports, counted, with a few
 * examples. Parts are joined in any order. Mutable and confined to one thread.
 */
final class HostileValues {

  private static final int EXAMPLES = 5;

  /** Rounding may put a propensity this far above 1. */
  private static final double ROUNDING = 1e-9;

  private final Map<String, Tally> tallies = new TreeMap<>();

  private static final class Tally {
    private long count;
    private final TreeSet<String> examples = new TreeSet<>();

    void keep(String example) {
      examples.add(example);
      if (examples.size() > EXAMPLES) {
        examples.pollLast();
      }
    }
  }

  /** Counts a transition in which something fatal was found. */
  void add(Transition transition, Findings found) {
    String id = transition.getDecision().getDecisionId();
    add(code(transition, found), id + ": " + found.words().replace('\n', ' '));
  }

  private void add(String code, String example) {
    Tally tally = tallies.computeIfAbsent(code, each -> new Tally());
    tally.count++;
    tally.keep(example);
  }

  private static String code(Transition transition, Findings found) {
    Decision decision = transition.getDecision();
    for (Placement placement : decision.getSlate()) {
      int candidate = placement.getCandidate();
      if (candidate < 0 || candidate >= decision.getCandidateIds().size()) {
        return "ACTION_NOT_IN_CANDIDATES";
      }
      double propensity = placement.getPropensity();
      if (!Double.isFinite(propensity)) {
        return "PROPENSITY_NOT_FINITE";
      }
      if (propensity <= 0) {
        return "PROPENSITY_NON_POSITIVE";
      }
      if (propensity > 1 + ROUNDING) {
        return "PROPENSITY_ABOVE_ONE";
      }
    }
    for (SignalValue value : transition.getSignals()) {
      if (!Double.isFinite(value.getValue())) {
        return "REWARD_NOT_FINITE";
      }
    }
    return found.counts().keySet().stream()
        .filter(Finding::fatal)
        .findFirst()
        .map(Finding::name)
        .orElse("INVALID");
  }

  void merge(HostileValues other) {
    other.tallies.forEach(
        (code, tally) -> {
          Tally mine = tallies.computeIfAbsent(code, each -> new Tally());
          mine.count += tally.count;
          tally.examples.forEach(mine::keep);
        });
  }

  boolean isEmpty() {
    return tallies.isEmpty();
  }

  /** One line per code. */
  String words() {
    StringBuilder text = new StringBuilder();
    tallies.forEach(
        (code, tally) ->
            text.append(text.isEmpty() ? "" : "\n")
                .append(tally.count)
                .append(' ')
                .append(code)
                .append(", for instance ")
                .append(String.join("; ", tally.examples)));
    return text.toString();
  }

  void write(DataOutput out) throws IOException {
    out.writeInt(tallies.size());
    for (Map.Entry<String, Tally> entry : tallies.entrySet()) {
      out.writeUTF(entry.getKey());
      out.writeLong(entry.getValue().count);
      out.writeInt(entry.getValue().examples.size());
      for (String example : entry.getValue().examples) {
        out.writeUTF(example);
      }
    }
  }

  static HostileValues read(DataInput in) throws IOException {
    HostileValues read = new HostileValues();
    for (int left = in.readInt(); left > 0; left--) {
      Tally tally = read.tallies.computeIfAbsent(in.readUTF(), each -> new Tally());
      tally.count = in.readLong();
      for (int examples = in.readInt(); examples > 0; examples--) {
        tally.examples.add(in.readUTF());
      }
    }
    return read;
  }
}
