package io.bellwether.serving.explain;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonRawValue;
import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Degraded;
import io.bellwether.ingestion.event.Outcome;
import io.bellwether.ingestion.event.Placement;
import io.bellwether.ingestion.event.RuleTrace;
import io.bellwether.ingestion.event.Stages;
import io.bellwether.ingestion.feature.Floats;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A decision as it was computed, with what came of it.
 *
 * @param context as it was sent
 * @param retrieval who proposed the candidates; absent where the request named them
 * @param candidates in the order in which they were scored
 * @param slate what was shown, by position
 * @param explored whether something else was shown than the highest scores; where it was, the
 *     scores are not the reason
 * @param rules what the slate had to keep to; absent where there was nothing
 * @param timing absent for records of earlier releases
 * @param values how the values of the candidates came about
 * @param outcomes so far, in the order in which they were logged
 * @param outcomesComplete whether the log was read to its end
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Explanation(
    String decisionId,
    String surface,
    String subjectId,
    Instant decidedAt,
    @JsonRawValue String context,
    @Nullable String retrieval,
    List<Candidate> candidates,
    List<Position> slate,
    boolean explored,
    Policy policy,
    Exploration exploration,
    @Nullable Experiment experiment,
    @Nullable Rules rules,
    @Nullable Timing timing,
    @Nullable Degradation degraded,
    String propensityKind,
    boolean learnable,
    @Nullable String traceId,
    String values,
    List<Observed> outcomes,
    boolean outcomesComplete) {

  /**
   * One candidate.
   *
   * @param score the logit from which the slate was drawn
   * @param values what the version expects of each signal; absent where they cannot be computed
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Candidate(String candidateId, float score, @Nullable Map<String, Float> values) {}

  /** One place of the slate; {@code propensity} given the earlier positions. */
  public record Position(int position, String candidateId, double propensity) {}

  /** Who decided. */
  public record Policy(String name, String version, String mode) {}

  /** How it was explored, as used. */
  public record Exploration(long seed, double temperature, double uniform) {}

  /** Which variant of which experiment. */
  public record Experiment(String name, int phase, String variant, double share, boolean forced) {}

  /** Why the answer was less than full. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Degradation(String reason, @Nullable String fallback) {}

  /** Where the time went until the slate was drawn, in microseconds. */
  public record Timing(int queue, int read, int recall, int candidates, int score, int sample) {}

  /** What people did. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Observed(
      String outcomeId, @Nullable String itemId, String signal, double value, Instant occurredAt) {}

  /** What the slate had to keep to. */
  public record Rules(
      List<Pin> pins, List<String> groupings, List<Masked> masked, List<String> relaxed) {}

  /** A candidate that had to stand at a position. */
  public record Pin(int position, String candidateId) {}

  /** A candidate that was left out. */
  public record Masked(String candidateId, String reason) {}

  /**
   * Explains a record.
   *
   * @param explored as the answer said it
   * @param values per candidate, in order; empty where they cannot be computed
   * @param valuesFrom how they came about, or why there are none
   */
  public static Explanation of(
      Decision decision,
      boolean explored,
      List<Map<String, Float>> values,
      String valuesFrom,
      RecordFinder.Outcomes outcomes) {
    float[] scores = Floats.of(decision.getLogits());
    return new Explanation(
        decision.getDecisionId(),
        decision.getSurface(),
        decision.getSubjectId(),
        at(decision.getDecidedAtMicros()),
        decision.getRawContext(),
        decision.getRetrieval(),
        candidates(decision, scores, values),
        slate(decision),
        explored,
        new Policy(decision.getPolicyName(), decision.getPolicyVersion(), decision.getMode()),
        new Exploration(decision.getSeed(), decision.getTemperature(), decision.getUniform()),
        experiment(decision),
        rules(decision),
        timing(decision.getStages()),
        degradation(decision.getDegraded()),
        decision.getPropensityKind(),
        decision.getLearnable(),
        decision.getTraceId(),
        valuesFrom,
        outcomes.outcomes().stream().map(Explanation::observed).toList(),
        outcomes.complete());
  }

  private static List<Candidate> candidates(
      Decision decision, float[] scores, List<Map<String, Float>> values) {
    List<Candidate> candidates = new ArrayList<>();
    List<String> ids = decision.getCandidateIds();
    for (int i = 0; i < ids.size(); i++) {
      candidates.add(new Candidate(ids.get(i), scores[i], values.isEmpty() ? null : values.get(i)));
    }
    return candidates;
  }

  private static List<Position> slate(Decision decision) {
    List<Position> slate = new ArrayList<>();
    for (Placement placement : decision.getSlate()) {
      slate.add(new Position(slate.size(), placement.getItemId(), placement.getPropensity()));
    }
    return slate;
  }

  private static @Nullable Experiment experiment(Decision decision) {
    var assigned = decision.getAssignment();
    return assigned == null
        ? null
        : new Experiment(
            assigned.getExperiment(),
            assigned.getPhase(),
            assigned.getVariant(),
            assigned.getShare(),
            assigned.getForced());
  }

  private static @Nullable Rules rules(Decision decision) {
    RuleTrace trace = decision.getRules();
    return trace == null
        ? null
        : new Rules(
            trace.getPins().stream()
                .map(
                    pin ->
                        new Pin(
                            pin.getPosition(), decision.getCandidateIds().get(pin.getCandidate())))
                .toList(),
            trace.getGroupings().stream().map(grouping -> grouping.getRule()).toList(),
            trace.getMasked().stream()
                .map(masked -> new Masked(masked.getItemId(), masked.getReason()))
                .toList(),
            trace.getRelaxed());
  }

  private static @Nullable Timing timing(@Nullable Stages stages) {
    return stages == null
        ? null
        : new Timing(
            stages.getQueue(),
            stages.getRead(),
            stages.getRecall(),
            stages.getCandidates(),
            stages.getScore(),
            stages.getSample());
  }

  private static @Nullable Degradation degradation(@Nullable Degraded degraded) {
    return degraded == null ? null : new Degradation(degraded.getReason(), degraded.getFallback());
  }

  private static Observed observed(Outcome outcome) {
    return new Observed(
        outcome.getOutcomeId(),
        outcome.getItemId(),
        outcome.getSignal(),
        outcome.getValue(),
        at(outcome.getOccurredAtMicros()));
  }

  private static Instant at(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }
}
