package io.bellwether.trainer.gate;

import io.bellwether.evaluation.report.OffPolicyReport;
import io.bellwether.trainer.data.DataSummary;
import java.time.Instant;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * An evaluation with all that is needed to repeat it. Immutable.
 *
 * @param target the evaluated policy
 * @param baseline what it is compared with: the champion's name, or {@code logging policy}
 * @param request what was asked
 * @param data what was read
 * @param logged per signal, what the logging policy itself reached in the same decisions
 * @param report the values and the verdict
 * @param at when it was made, for people to read
 * @param codeVersion of the evaluator
 */
public record EvaluationRecord(
    String target,
    String baseline,
    EvaluationRequest request,
    DataSummary data,
    SortedMap<String, LoggedMean> logged,
    OffPolicyReport report,
    Instant at,
    String codeVersion) {

  public EvaluationRecord {
    logged = Collections.unmodifiableSortedMap(new TreeMap<>(logged));
  }

  /**
   * The logging policy's own mean per decision.
   *
   * @param standardError as if decisions were independent
   * @param events decisions with a value other than 0
   */
  public record LoggedMean(double mean, double standardError, long decisions, long events) {}
}
