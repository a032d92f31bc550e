package io.bellwether.trainer.imports;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What the reading of a log has come to: where it stands, and what was found that an archive does
 * not tell. Kept as JSON, so that an interrupted import goes on. Mutable and confined to one
 * thread.
 */
@JsonAutoDetect(fieldVisibility = Visibility.ANY, getterVisibility = Visibility.NONE)
final class ReadTally {

  /** Different reasons that are counted apart. */
  private static final int MAX_KINDS = 50;

  private static final String OTHERS = "other reasons";

  /** Whether the log was read to its end. */
  boolean complete;

  /** Entries of the log that were read. */
  long entries;

  /** Of these, decisions that were taken. */
  long accepted;

  /** Of these, what could not be read or used. */
  long rejected;

  /** Propensities of at most 0. */
  long propensitiesNotPositive;

  /** Propensities above 1. */
  long propensitiesAboveOne;

  /** Bytes of the rejects file. */
  long rejectsBytes;

  /** Sorted runs of decisions, and of their ids. */
  int rowRuns;

  int idRuns;

  /** Rejected entries by reason, with numbers and quoted texts left out. */
  TreeMap<String, Long> reasons = new TreeMap<>();

  /** Reactions that were left out, by reason. */
  TreeMap<String, Long> reactionsLeftOut = new TreeMap<>();

  /** Decisions with a feature that the surface does not declare, by its place. */
  TreeMap<String, Long> unknownFeatures = new TreeMap<>();

  /** Features of the surface that some decision has. */
  TreeSet<String> seenFeatures = new TreeSet<>();

  void reject(String reason) {
    rejected++;
    count(reasons, kind(reason));
  }

  void leaveOut(String reason) {
    count(reactionsLeftOut, kind(reason));
  }

  void unknownFeature(String place) {
    count(unknownFeatures, place);
  }

  private static void count(Map<String, Long> counts, String what) {
    String kind = counts.containsKey(what) || counts.size() < MAX_KINDS ? what : OTHERS;
    counts.merge(kind, 1L, Long::sum);
  }

  /** A reason without what differs from line to line. */
  private static String kind(String reason) {
    return reason
        .replaceAll("'[^']*'", "'...'")
        .replaceAll("\"(?:[^\"\\\\]|\\\\.)*\"", "\"...\"")
        .replaceAll("(?<![A-Za-z_])-?[0-9][0-9.eE+-]*(?![A-Za-z_])", "#")
        .replaceAll("\\b0x[0-9a-f]{2}\\b", "#");
  }

  /** Counts in the order of their size, the greatest first. */
  static Map<String, Long> bySize(Map<String, Long> counts) {
    Map<String, Long> sorted = new java.util.LinkedHashMap<>();
    counts.entrySet().stream()
        .sorted(
            Map.Entry.<String, Long>comparingByValue()
                .reversed()
                .thenComparing(Map.Entry.comparingByKey()))
        .forEach(each -> sorted.put(each.getKey(), each.getValue()));
    return sorted;
  }
}
