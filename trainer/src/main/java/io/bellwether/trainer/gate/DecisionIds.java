package io.bellwether.trainer.gate;

import io.bellwether.evaluation.report.HeavyDecision;
import io.bellwether.evaluation.report.OffPolicyReport;
import io.bellwether.evaluation.support.VectorFinding;
import io.bellwether.trainer.columns.ColumnFiles;
import io.bellwether.trainer.columns.LogColumns;
import java.io.IOException;
import java.nio.LongBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The ids of the decisions that a report names as examples, so that they can be looked up.
 * Immutable.
 *
 * @param byNumber of those that it names by their number in the scored log
 * @param byHash of those that it names by the hash of their id
 */
public record DecisionIds(Map<Integer, String> byNumber, Map<Long, String> byHash) {

  public static final DecisionIds NONE = new DecisionIds(Map.of(), Map.of());

  private static final int HEXADECIMAL = 16;

  public DecisionIds {
    byNumber = Map.copyOf(byNumber);
    byHash = Map.copyOf(byHash);
  }

  /** Of all that a report on a log names. */
  static DecisionIds of(OffPolicyReport report, ColumnFiles log) throws IOException {
    Set<Long> hashes =
        report.diagnostics().support().findings().stream()
            .map(VectorFinding::examples)
            .flatMap(examples -> examples.stream())
            .collect(Collectors.toSet());
    Map<Long, Integer> numbers = new TreeMap<>();
    LongBuffer ids = log.longs(LogColumns.ID);
    for (int number = 0; number < ids.limit() && !hashes.isEmpty(); number++) {
      if (hashes.contains(ids.get(number))) {
        numbers.put(ids.get(number), number);
      }
    }
    Map<Long, String> byHash = new HashMap<>();
    Map<Integer, String> found = log.ids(numbers.values());
    numbers.forEach((hash, number) -> byHash.put(hash, found.getOrDefault(number, "")));
    return new DecisionIds(
        log.ids(
            report.diagnostics().largestWeights().stream()
                .map(HeavyDecision::decision)
                .map(Math::toIntExact)
                .toList()),
        byHash);
  }

  /** The id of a decision; its hash, and that it is one, where the id is not known. */
  public String ofHash(long hash) {
    return byHash.getOrDefault(hash, "hash %016x".formatted(hash));
  }

  /** The same of a hash in 16 hexadecimal digits. */
  public String ofHash(String digits) {
    return ofHash(Long.parseUnsignedLong(digits, HEXADECIMAL));
  }
}
