package io.bellwether.trainer.gate;

import io.bellwether.evaluation.report.OffPolicyReport;
import io.bellwether.evaluation.report.SessionValues;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
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
 * @param decisionIds of the decisions that the report names
 * @param perSession discounted values per session, advisory; {@link SessionValues#NONE} where the
 *     surface's discount is 0
 * @param learning how the reward models learned; empty without them
 * @param notes what the evaluation had to do without, and why: for people to read
 * @param fingerprint of all that the result follows from: policies, options, data, code version
 * @param at when it was made, for people to read
 * @param codeVersion of the evaluator
 */
public record EvaluationRecord(
    String target,
    String baseline,
    EvaluationRequest request,
    EvaluatedData data,
    SortedMap<String, LoggedMean> logged,
    OffPolicyReport report,
    DecisionIds decisionIds,
    SessionValues perSession,
    List<LearningCurve> learning,
    List<String> notes,
    String fingerprint,
    Instant at,
    String codeVersion) {

  public EvaluationRecord {
    logged = Collections.unmodifiableSortedMap(new TreeMap<>(logged));
    learning = List.copyOf(learning);
    notes = List.copyOf(notes);
  }

  /** What a reader has to know beside the verdict. */
  public List<String> warnings() {
    List<String> warnings = new ArrayList<>(report.gate().warnings());
    if (request.subjects().maySeeTraining()) {
      warnings.add(
          "the policy kept no subjects apart when it learned: where these decisions are those that"
              + " it learned from, its values are too good");
    }
    warnings.addAll(notes);
    return List.copyOf(warnings);
  }

  /**
   * The logging policy's own mean per decision.
   *
   * @param standardError as if decisions were independent
   * @param events decisions with a value other than 0
   */
  public record LoggedMean(double mean, double standardError, long decisions, long events) {}
}
