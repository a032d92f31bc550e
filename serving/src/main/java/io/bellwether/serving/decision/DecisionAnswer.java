package io.bellwether.serving.decision;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.bellwether.ingestion.event.Assignment;
import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Degraded;
import io.bellwether.ingestion.event.Placement;
import io.bellwether.ingestion.feature.Floats;
import io.bellwether.serving.experiment.Arm;
import io.bellwether.serving.rule.TracedRules;
import java.nio.FloatBuffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a caller gets, read from the record of the decision alone, so that a retry gets it again.
 *
 * @param status {@code OK} or {@code DEGRADED}
 * @param experiment which variant it comes from; absent where it is in no experiment
 * @param outcomesUntil end of the longest signal window
 * @param activation absent where the slate was to be shown at once
 * @param degraded why the answer is less than full; absent where it is full
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record DecisionAnswer(
    String decisionId,
    String surface,
    Instant decidedAt,
    String status,
    List<Position> slate,
    Policy policy,
    @Nullable Experiment experiment,
    Exploration exploration,
    Instant outcomesUntil,
    @Nullable Activation activation,
    @Nullable Degradation degraded) {

  /**
   * One place of the slate.
   *
   * @param propensity chance of this item here, given the earlier positions
   * @param score the logit from which it was sampled
   */
  public record Position(int position, String candidateId, double propensity, float score) {}

  /**
   * Who decided.
   *
   * @param version {@code uniform} while there is no policy
   */
  public record Policy(String name, String version, String mode) {}

  /**
   * Which variant of which experiment.
   *
   * @param version number of the experiment's phase, in which shares and versions are constant
   * @param assignmentProbability chance with which the unit gets this variant in this phase
   */
  public record Experiment(String name, int version, String variant, double assignmentProbability) {

    static Experiment of(Assignment assignment) {
      return new Experiment(
          assignment.getExperiment(),
          assignment.getPhase(),
          assignment.getVariant(),
          assignment.getShare());
    }
  }

  /**
   * Whether it counts as shown.
   *
   * @param state {@code DEFERRED}: once it is activated
   */
  public record Activation(String state) {}

  /**
   * How the slate was drawn.
   *
   * @param uniform share of the uniform distribution, as used
   * @param minPropensity what that share leaves each candidate at the first position, at least
   * @param explored whether the slate differs from the one with the highest scores; always true
   *     without a policy
   */
  public record Exploration(
      double temperature, double uniform, double minPropensity, boolean explored) {}

  /** Why an answer is less than full, and who stood in for the policy. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Degradation(String reason, @Nullable String fallback, boolean learnable) {}

  /** The answer that a decision gives. */
  static DecisionAnswer of(Decision decision) {
    FloatBuffer logits = Floats.view(decision.getLogits());
    List<Position> slate = new ArrayList<>(decision.getSlate().size());
    for (Placement placement : decision.getSlate()) {
      slate.add(
          new Position(
              slate.size(),
              placement.getItemId(),
              placement.getPropensity(),
              logits.get(placement.getCandidate())));
    }
    Degraded degraded = decision.getDegraded();
    Assignment assignment = decision.getAssignment();
    return new DecisionAnswer(
        decision.getDecisionId(),
        decision.getSurface(),
        instant(decision.getDecidedAtMicros()),
        degraded == null ? "OK" : "DEGRADED",
        slate,
        new Policy(decision.getPolicyName(), decision.getPolicyVersion(), decision.getMode()),
        assignment == null ? null : Experiment.of(assignment),
        new Exploration(
            decision.getTemperature(),
            decision.getUniform(),
            decision.getUniform() / logits.capacity(),
            explored(decision)),
        instant(decision.getOutcomesUntilMicros()),
        decision.getActivation().equals(DecisionRecord.DEFERRED)
            ? new Activation(DecisionRecord.DEFERRED)
            : null,
        degraded == null
            ? null
            : new Degradation(
                degraded.getReason(), degraded.getFallback(), decision.getLearnable()));
  }

  /** Whether the slate is another one than the scores alone would give. */
  static boolean explored(Decision decision) {
    if (decision.getPolicyVersion().equals(Arm.UNIFORM)) {
      return true;
    }
    if (decision.getRules() != null) {
      return TracedRules.passOver(decision);
    }
    FloatBuffer logits = Floats.view(decision.getLogits());
    List<Placement> slate = decision.getSlate();
    for (int position = 0; position < slate.size(); position++) {
      float placed = logits.get(slate.get(position).getCandidate());
      for (int i = 0; i < logits.capacity(); i++) {
        if (logits.get(i) > placed && !stands(slate, position, i)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether a candidate stands before a position. */
  private static boolean stands(List<Placement> slate, int before, int candidate) {
    for (int position = 0; position < before; position++) {
      if (slate.get(position).getCandidate() == candidate) {
        return true;
      }
    }
    return false;
  }

  private static Instant instant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }
}
