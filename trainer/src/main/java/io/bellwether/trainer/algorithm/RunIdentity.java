package io.bellwether.trainer.algorithm;

import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a stage of a run is a function of, part by part, as texts or digests. Two stages of one
 * identity leave the same bytes.
 *
 * @param parts by the words that tell a person which of them differs
 */
public record RunIdentity(SortedMap<String, String> parts) {
  public RunIdentity {
    parts = Collections.unmodifiableSortedMap(new TreeMap<>(parts));
  }

  /** {@code data} and {@code graph}: digest of the rows, and the graph of a step. */
  static RunIdentity of(
      Algorithm whole, TrainingPlan plan, String data, Given given, byte[] graph) {
    SortedMap<String, String> parts = new TreeMap<>();
    parts.put("algorithm", words(whole));
    parts.put("plan", plan.toString());
    parts.put("data", data);
    parts.put("earlier stages", Fingerprint.of(given));
    parts.put("losses or networks", Fingerprint.of(graph));
    return new RunIdentity(parts);
  }

  /** Without what differs from process to process: numbers of objects and of lambdas. */
  private static String words(Algorithm algorithm) {
    return (algorithm.getClass().getName() + " " + algorithm)
        .replaceAll("\\$\\$Lambda[^,\\] ]*", "lambda")
        .replaceAll("@[0-9a-f]+", "");
  }

  RunIdentity with(String part, String value) {
    SortedMap<String, String> more = new TreeMap<>(parts);
    more.put(part, value);
    return new RunIdentity(more);
  }

  /** The first part in which another identity differs; empty where they are the same. */
  Optional<String> difference(RunIdentity other) {
    SortedMap<String, String> all = new TreeMap<>(parts);
    all.putAll(other.parts);
    return all.keySet().stream()
        .filter(part -> !parts.getOrDefault(part, "").equals(other.parts.getOrDefault(part, "")))
        .findFirst();
  }
}
