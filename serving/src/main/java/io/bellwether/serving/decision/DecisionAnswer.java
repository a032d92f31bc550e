package io.bellwether.serving.decision;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Degraded;
import io.bellwether.ingestion.event.Placement;
import io.bellwether.ingestion.feature.Floats;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a caller gets, read from the record of the decision alone, so that a retry gets it again.
 *
 * @param status {@code OK} or {@code DEGRADED}
 * @param outcomesUntil end of the longest signal window
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
    Exploration exploration,
    Instant outcomesUntil,
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
    float[] logits = Floats.of(decision.getLogits());
    List<Position> slate = new ArrayList<>();
    for (Placement placement : decision.getSlate()) {
      slate.add(
          new Position(
              slate.size(),
              placement.getItemId(),
              placement.getPropensity(),
              logits[placement.getCandidate()]));
    }
    Degraded degraded = decision.getDegraded();
    return new DecisionAnswer(
        decision.getDecisionId(),
        decision.getSurface(),
        instant(decision.getDecidedAtMicros()),
        degraded == null ? "OK" : "DEGRADED",
        slate,
        new Policy(decision.getPolicyName(), decision.getPolicyVersion(), decision.getMode()),
        new Exploration(
            decision.getTemperature(),
            decision.getUniform(),
            decision.getUniform() / logits.length,
            explored(decision)),
        instant(decision.getOutcomesUntilMicros()),
        degraded == null
            ? null
            : new Degradation(
                degraded.getReason(), degraded.getFallback(), decision.getLearnable()));
  }

  /** Whether the slate is another one than the scores alone would give. */
  static boolean explored(Decision decision) {
    float[] logits = Floats.of(decision.getLogits());
    if (decision.getPolicyVersion().equals(DecisionMaker.UNIFORM)) {
      return true;
    }
    boolean[] placed = new boolean[logits.length];
    for (Placement placement : decision.getSlate()) {
      for (int i = 0; i < logits.length; i++) {
        if (!placed[i] && logits[i] > logits[placement.getCandidate()]) {
          return true;
        }
      }
      placed[placement.getCandidate()] = true;
    }
    return false;
  }

  private static Instant instant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }
}
