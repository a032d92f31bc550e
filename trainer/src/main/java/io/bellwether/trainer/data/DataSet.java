package io.bellwether.trainer.data;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * The rows of all feeders, which arrive in any order and any number of times, put into one
 * canonical order: by row id, the highest revision of each decision only. The result depends on
 * nothing but the data. Mutable and confined to one thread.
 */
public final class DataSet {

  private static final Comparator<TrainingRow> CANONICAL =
      Comparator.comparingLong(TrainingRow::rowId)
          .thenComparing(TrainingRow::decisionId)
          .thenComparing((a, b) -> Arrays.compare(FeederMessage.of(a), FeederMessage.of(b)));

  private final List<TrainingRow> rows = new ArrayList<>();
  private final Findings findings = new Findings();

  /** Adds a row. */
  public void add(TrainingRow row) {
    rows.add(row);
  }

  /** Adds what a feeder found. */
  public void add(Findings found) {
    findings.merge(found);
  }

  /**
   * Orders and links the rows. Call it once, after the last row; the set is empty afterwards.
   *
   * @throws InvalidTrainingData when a fatal finding was made, or when no row is left
   */
  public LinkedRows link() {
    keepHighestRevisions();
    rows.sort(CANONICAL);
    dropCopies();
    int[] next = new int[rows.size()];
    boolean[] terminated = new boolean[rows.size()];
    for (int i = 0; i < next.length; i++) {
      next[i] = -1;
      terminated[i] = rows.get(i).terminated();
      link(i, next, terminated);
    }
    refuseUnusable();
    LinkedRows linked = new LinkedRows(rows, next, terminated, summary());
    rows.clear();
    return linked;
  }

  private void keepHighestRevisions() {
    Map<String, Integer> highest = new HashMap<>();
    rows.forEach(row -> highest.merge(row.decisionId(), row.revision(), Math::max));
    rows.removeIf(
        row -> {
          boolean superseded = row.revision() < highest.getOrDefault(row.decisionId(), 0);
          if (superseded) {
            countSuperseded(row);
          }
          return superseded;
        });
  }

  private void dropCopies() {
    List<TrainingRow> kept = new ArrayList<>(rows.size());
    for (TrainingRow row : rows) {
      TrainingRow last = kept.isEmpty() ? null : kept.get(kept.size() - 1);
      if (last == null || last.rowId() != row.rowId()) {
        kept.add(row);
      } else if (last.decisionId().equals(row.decisionId())) {
        countSuperseded(row);
      } else {
        findings.add(Finding.DUPLICATE_ROW_ID, row.decisionId() + " and " + last.decisionId());
      }
    }
    rows.clear();
    rows.addAll(kept);
  }

  private void countSuperseded(TrainingRow row) {
    if (row.position() == 0) {
      findings.countSuperseded(row.decisionId());
    }
  }

  /**
   * A position's next row is the same position of the session's next decision, so that the returns
   * of the positions add up to the return of the slates. Where the next slate is shorter, nothing
   * more comes at this position: it terminates.
   */
  private void link(int row, int[] next, boolean[] terminated) {
    TrainingRow from = rows.get(row);
    if (terminated[row] || from.nextDecisionId().isEmpty()) {
      return;
    }
    int first = indexOf(from.nextDecisionId(), 0);
    if (first < 0) {
      if (from.position() == 0) {
        findings.add(Finding.NEXT_MISSING, from.decisionId());
      }
    } else if (!rows.get(first).sessionId().equals(from.sessionId())) {
      findings.add(
          Finding.NEXT_OF_ANOTHER_SESSION, from.decisionId() + " to " + from.nextDecisionId());
    } else if (from.position() >= rows.get(first).positions()) {
      terminated[row] = true;
    } else {
      next[row] = from.position() == 0 ? first : indexOf(from.nextDecisionId(), from.position());
    }
  }

  private int indexOf(String decisionId, int position) {
    long id = TrainingRow.idOf(decisionId, position);
    int low = 0;
    int high = rows.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = Long.compare(rows.get(middle).rowId(), id);
      if (order == 0) {
        return middle;
      }
      low = order < 0 ? middle + 1 : low;
      high = order < 0 ? high : middle - 1;
    }
    return -1;
  }

  private void refuseUnusable() {
    if (findings.fatal()) {
      throw new InvalidTrainingData("the data cannot be used; it has\n" + findings.words());
    }
    if (rows.isEmpty()) {
      throw new InvalidTrainingData(
          findings.read() == 0
              ? "there is no transition"
              : "none of " + findings.read() + " transitions can be used:\n" + findings.words());
    }
  }

  private DataSummary summary() {
    long from =
        Collections.min(rows, Comparator.comparingLong(TrainingRow::decidedAtMicros))
            .decidedAtMicros();
    long to =
        Collections.max(rows, Comparator.comparingLong(TrainingRow::decidedAtMicros))
            .decidedAtMicros();
    return new DataSummary(
        findings.read(),
        rows.stream().filter(row -> row.position() == 0).count(),
        rows.size(),
        Instant.EPOCH.plus(from, ChronoUnit.MICROS),
        Instant.EPOCH.plus(to, ChronoUnit.MICROS),
        digest(),
        findings.counts());
  }

  private String digest() {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      // Compaction forgets revisions, and data is the same before and after it.
      rows.forEach(row -> digest.update(FeederMessage.of(row.withoutRevision())));
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
