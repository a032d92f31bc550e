package io.bellwether.trainer.gate;

import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Placement;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.feature.Floats;
import io.bellwether.policy.scoring.DecisionSeed;
import io.bellwether.policy.scoring.Exploration;
import io.bellwether.policy.scoring.MixedWeights;
import io.bellwether.policy.scoring.SlateRules;
import io.bellwether.trainer.data.LoggedRules;
import io.bellwether.trainer.data.TrainingRow;
import java.util.List;

/**
 * A logged decision with what the evaluation needs of it. The arrays are not copied, and nobody
 * writes to them.
 *
 * @param id of the decision
 * @param revision the highest one counts
 * @param unit hash of the subject
 * @param step number of the decision in its session, from 0 on
 * @param decidedAtMicros when, microseconds since the epoch
 * @param logger the policy version that made it
 * @param rawContext the context as it was sent, JSON
 * @param candidateIds in the order in which they were scored
 * @param slate index of the placed candidate per position
 * @param logging the logging policy's chance of each candidate at the first position, before rules
 *     keep any out; empty where only the placed items' are known
 * @param rules what its slate had to keep to, and so has every policy's
 * @param rows one per position
 */
@SuppressWarnings("ArrayRecordComponent") // carried, not compared
public record EvaluatedDecision(
    String id,
    int revision,
    long unit,
    int step,
    long decidedAtMicros,
    String logger,
    String rawContext,
    List<String> candidateIds,
    int[] slate,
    double[] logging,
    SlateRules rules,
    List<TrainingRow> rows) {

  public EvaluatedDecision {
    candidateIds = List.copyOf(candidateIds);
    rows = List.copyOf(rows);
  }

  static EvaluatedDecision of(Transition transition, List<TrainingRow> rows) {
    Decision decision = transition.getDecision();
    return new EvaluatedDecision(
        decision.getDecisionId(),
        rows.get(0).revision(),
        DecisionSeed.seedOf(decision.getSubjectId()),
        transition.getStep(),
        decision.getDecidedAtMicros(),
        decision.getPolicyVersion(),
        decision.getRawContext(),
        decision.getCandidateIds(),
        decision.getSlate().stream().mapToInt(Placement::getCandidate).toArray(),
        loggingChances(decision),
        LoggedRules.of(decision),
        rows);
  }

  /** What the logged scores and exploration give, where propensities are exact. */
  private static double[] loggingChances(Decision decision) {
    float[] logits = Floats.of(decision.getLogits());
    if (!decision.getPropensityKind().equals("EXACT")
        || logits.length != decision.getCandidateIds().size()) {
      return new double[0];
    }
    double[] chances = new double[logits.length];
    MixedWeights.of(logits, Exploration.asUsed(decision.getTemperature(), decision.getUniform()))
        .copyTo(chances);
    return chances;
  }

  /** Hash of the id. */
  long idHash() {
    return DecisionSeed.seedOf(id);
  }

  /** {@code [contextWidth]}. */
  float[] context() {
    return rows.get(0).context();
  }

  /** {@code [historyLength * historyWidth]}. */
  float[] history() {
    return rows.get(0).history();
  }

  /** {@code [candidates * itemWidth]}. */
  float[] items() {
    return rows.get(0).items();
  }

  /** The session's next decision; empty where there is none. All rows of a decision end alike. */
  String nextId() {
    return rows.get(0).nextDecisionId();
  }

  /** Whether the session ended here by itself. */
  boolean isTerminated() {
    return rows.get(0).terminated();
  }
}
