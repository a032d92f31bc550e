package io.bellwether.loadtest.chaos;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.loadtest.result.Figures;
import java.time.Instant;
import java.util.Map;

/**
 * A result as JSON: the numbers that are compared between runs first, with stable names, and once
 * more as figures with their units; then all that they rest on below {@code details}.
 */
public final class ResultJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private ResultJson() {}

  /**
   * The numbers.
   *
   * @param at when it was measured
   * @param machine what it ran on
   */
  public static ObjectNode of(ChaosResult result, Instant at, Map<String, String> machine) {
    ObjectNode json = MAPPER.createObjectNode();
    json.put("bench", "chaos").put("at", at.toString());
    json.set("machine", MAPPER.valueToTree(machine));
    json.put("seed", result.seed()).put("seconds", result.seconds());
    Reckoning reckoning = result.reckoning();
    ArrayNode figures = MAPPER.createArrayNode();
    figure(json, figures, "faults", result.injected().size(), "count");
    figure(json, figures, "decisions_lost", reckoning.decisionsLost(), "count");
    figure(json, figures, "decisions_doubled", reckoning.decisionsDoubled(), "count");
    figure(json, figures, "outcomes_lost", reckoning.outcomesLost(), "count");
    figure(json, figures, "outcomes_doubled", reckoning.outcomesDoubled(), "count");
    figure(json, figures, "answers_late", result.answersLate(), "count");
    json.put("recovery_seconds_max", result.recoverySecondsMax());
    figures
        .addObject()
        .put("name", "recovery_seconds_max")
        .put("value", result.recoverySecondsMax())
        .put("unit", "s");
    json.set("figures", figures);
    ObjectNode details = Figures.details(json, result);
    details.put("decisions_per_second", result.extent().perSecond());
    details.put("decisions", reckoning.decisions());
    details.put("decisions_refused", reckoning.refused());
    details.put("decisions_changed", reckoning.changed());
    details.put("outcomes", reckoning.outcomes());
    details.put("dead_letters", reckoning.deadLetters());
    details.put("retries", result.retries());
    details.put("answers_due", result.answersDue());
    details.put("answers_by_wrong_version", result.wrongVersions());
    details.set("answers", MAPPER.valueToTree(result.answers()));
    ArrayNode faults = details.putArray("faults");
    for (Injected each : result.injected()) {
      faults
          .addObject()
          .put("fault", each.fault().name())
          .put("lasted_seconds", (each.endedNanos() - each.beganNanos()) / 1e9)
          .put("recovery_seconds", each.recoverySeconds(result.patienceSeconds()));
    }
    return json;
  }

  private static void figure(
      ObjectNode json, ArrayNode figures, String name, long value, String unit) {
    json.put(name, value);
    figures.addObject().put("name", name).put("value", value).put("unit", unit);
  }
}
