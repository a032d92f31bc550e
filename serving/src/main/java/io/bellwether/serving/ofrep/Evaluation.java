package io.bellwether.serving.ofrep;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.serving.experiment.Arm;
import io.bellwether.serving.experiment.Assigned;
import io.bellwether.serving.experiment.Assigned.ToVariant;
import io.bellwether.serving.experiment.Experiment;
import io.bellwether.serving.experiment.Flag;
import io.bellwether.serving.ofrep.FlagAnswer.Reason;
import io.bellwether.serving.surface.DeclaredSurface;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What was found out about one flag and one subject. Immutable.
 *
 * @param flag the value, and how it came about
 * @param surface of the flag
 * @param attributes of the context that the surface declares
 * @param decisionId under which it is logged where it was assigned
 */
record Evaluation(Flag flag, DeclaredSurface surface, ObjectNode attributes, String decisionId) {

  String key() {
    return flag.state().name();
  }

  /** The variant that the subject meets by this answer; empty where nobody is assigned any. */
  Optional<ToVariant> assigned() {
    return flag.assigned() instanceof ToVariant variant ? Optional.of(variant) : Optional.empty();
  }

  /** Whether the experiment's state was not known, so that the control stands in. */
  boolean degraded() {
    return flag.assigned() instanceof Assigned.None none && none.reason() == Assigned.Reason.STALE;
  }

  Reason reason() {
    if (flag.assigned() instanceof Assigned.None none) {
      return switch (none.reason()) {
        case NOT_RUNNING -> flag.state().winner().isPresent() ? Reason.STATIC : Reason.DISABLED;
        case STALE, SHADOW, NOT_STARTED, ENDED -> Reason.DISABLED;
        case NO_EXPERIMENT, NO_UNIT, HOLDOUT, TARGETING, OUTSIDE_SLICE -> Reason.STATIC;
      };
    }
    ToVariant variant = (ToVariant) flag.assigned();
    if (variant.forced()) {
      return Reason.TARGETING_MATCH;
    }
    if (variant.share() < 1) {
      return Reason.SPLIT;
    }
    return experiment().targeting().isEmpty() ? Reason.STATIC : Reason.TARGETING_MATCH;
  }

  /** The answer that names its decision. */
  FlagAnswer answer() {
    return answer(decisionId, degraded());
  }

  /** The answer of which nothing could be kept: it can be shown, and nothing is learnt of it. */
  FlagAnswer answerWithoutDecision() {
    return answer(null, true);
  }

  private FlagAnswer answer(@Nullable String decision, boolean lessThanFull) {
    Map<String, Object> metadata = new LinkedHashMap<>();
    if (decision != null && assigned().isPresent()) {
      metadata.put("decisionId", decision);
    }
    metadata.put("experiment", key());
    metadata.put("experimentVersion", flag.state().sequence());
    assigned()
        .ifPresent(
            variant -> {
              metadata.put("policy", surface.name());
              metadata.put("policyVersion", variant.version());
              metadata.put("propensity", variant.share());
            });
    metadata.put(FlagAnswer.DEGRADED, lessThanFull);
    return new FlagAnswer(key(), reason(), flag.variant().name(), value(), metadata);
  }

  private JsonNode value() {
    if (flag.variant().arm() instanceof Arm.Payload payload) {
      return payload.value();
    }
    throw new IllegalStateException("flag '" + key() + "' has a variant without a payload");
  }

  private Experiment experiment() {
    return flag.state().declaration();
  }
}
