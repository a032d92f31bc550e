package io.bellwether.loadtest.experiment;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.policy.version.VersionId;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * How planted policies are rolled out, in seconds instead of days: each in its own slice of one
 * layer, the better one from 1 to 100 % of its slice, the others at once to half of theirs, where
 * they have to be found out. What is randomised is the single request, of which there are enough in
 * minutes; the slices are of people. Immutable.
 */
record LivePlan(BenchmarkExtent.Live extent) {
  static final double ALPHA = 0.05;

  /** A harm of more than this share of the control's value takes a rollout back, by signal. */
  static final Map<String, Double> MARGINS = Map.of(LivePlan.PRIMARY, 0.0, LivePlan.PROMISED, 0.1);

  private static final String PRIMARY = "watch_seconds";
  private static final String PROMISED = "click";

  /** Longest time of 99 in 100 decisions: far above what a busy machine needs. */
  static final Duration SLOWEST = Duration.ofMillis(75);

  static final double DEGRADED = 0.05;

  /** Exposures before a limit of health is looked at. */
  static final int HEALTH_EXPOSURES = 100;

  private static final int PLANNED_UNITS = 2_000;
  private static final int GOOD_SLICE = 8_000;
  private static final int BAD_SLICE = 500;

  /** A step of a plan: treatment's basis points, seconds at least, units per variant at least. */
  private record Step(int share, int seconds, int units) {}

  private static final List<Step> GOOD =
      List.of(
          new Step(100, 3, 100),
          new Step(1_000, 5, 100),
          new Step(5_000, 10, 400),
          new Step(10_000, 3, 100));

  private static final List<Step> BAD = List.of(new Step(5_000, 10, 400), new Step(10_000, 3, 50));

  /** The declaration of a planted policy's experiment. */
  ObjectNode declaration(PlantedPolicy policy, VersionId version, String surface, String run) {
    ObjectNode experiment = new ObjectMapper().createObjectNode();
    experiment.put("name", name(policy, run));
    experiment.put("surface", surface);
    experiment.put("hypothesis", "planted: " + policy.word());
    experiment.put("owner", "bench");
    experiment.put("unit", "REQUEST");
    experiment.put("override", "planted, to measure what becomes of it");
    experiment.set("slice", slice(policy));
    ArrayNode variants = experiment.putArray("variants");
    variants.addObject().put("name", "control").put("policy", "champion");
    variants.addObject().put("name", "treatment").put("policy", version.value());
    metric(experiment.putArray("primary"), PRIMARY);
    metric(experiment.putArray("guardrails"), PROMISED)
        .putObject("margin")
        .put("kind", "RELATIVE")
        .put("value", MARGINS.get(PROMISED));
    experiment
        .putObject("health")
        .put("degradedShare", DEGRADED)
        .put("decisionP99", SLOWEST.toString())
        .put("exposures", HEALTH_EXPOSURES);
    ArrayNode plan = experiment.putArray("plan");
    for (Step step : policy.isGood() ? GOOD : BAD) {
      plan.addObject()
          .put("share", step.share)
          .put("atLeast", Duration.ofSeconds(step.seconds).toString())
          .put("unitsPerVariant", step.units)
          .put("onPass", "ADVANCE")
          .put("onFail", "ROLLBACK");
    }
    experiment.putObject("analysis").put("alpha", ALPHA).put("plannedUnits", PLANNED_UNITS);
    return experiment;
  }

  static String name(PlantedPolicy policy, String run) {
    return policy.word() + "-" + run;
  }

  private static ObjectNode metric(ArrayNode metrics, String signal) {
    return metrics
        .addObject()
        .put("name", signal)
        .put("signal", signal)
        .put("kind", "PER_DECISION")
        .put("direction", "UP");
  }

  private static ObjectNode slice(PlantedPolicy policy) {
    int from = policy.isGood() ? 0 : GOOD_SLICE + BAD_SLICE * (policy.ordinal() - 1);
    int to = policy.isGood() ? GOOD_SLICE : from + BAD_SLICE;
    return new ObjectMapper().createObjectNode().put("from", from).put("to", to);
  }
}
