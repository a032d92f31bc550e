package io.bellwether.trainer.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collections;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How far a run is. Immutable.
 *
 * @param state {@code reading}, {@code training}, {@code exporting} or {@code done}
 * @param rows that are trained on; 0 while they are read
 * @param step steps done
 * @param steps steps in all
 * @param epoch how often each row was seen
 * @param secondsLeft estimate for the steps that are left
 * @param gauges losses, multipliers and the like, by name
 */
record RunProgress(
    String state,
    long rows,
    long step,
    long steps,
    double epoch,
    double secondsLeft,
    SortedMap<String, Double> gauges) {

  RunProgress {
    gauges = Collections.unmodifiableSortedMap(new TreeMap<>(gauges));
  }

  static RunProgress start() {
    return new RunProgress("reading", 0, 0, 0, 0, 0, new TreeMap<>());
  }

  /** One line for people: losses and multipliers; the rest stands in the file. */
  String words() {
    if (step == 0) {
      return state + (rows == 0 ? " transitions" : " on " + rows + " rows");
    }
    StringBuilder line = new StringBuilder();
    line.append(
        String.format(
            Locale.ROOT,
            "%s: step %d of %d, epoch %.1f, %.0f s left",
            state,
            step,
            steps,
            epoch,
            secondsLeft));
    gauges.forEach(
        (name, value) -> {
          if (name.endsWith(".loss") || name.startsWith("multiplier.")) {
            line.append(String.format(Locale.ROOT, ", %s %.4g", name, value));
          }
        });
    return line.toString();
  }

  ObjectNode toJson() {
    ObjectNode json = new ObjectMapper().createObjectNode();
    json.put("state", state).put("rows", rows).put("step", step).put("steps", steps);
    json.put("epoch", epoch).put("secondsLeft", secondsLeft);
    ObjectNode values = json.putObject("gauges");
    gauges.forEach(values::put);
    return json;
  }

  static RunProgress fromJson(JsonNode json) {
    SortedMap<String, Double> gauges = new TreeMap<>();
    json.get("gauges")
        .properties()
        .forEach(each -> gauges.put(each.getKey(), each.getValue().asDouble()));
    return new RunProgress(
        json.get("state").asText(),
        json.get("rows").asLong(),
        json.get("step").asLong(),
        json.get("steps").asLong(),
        json.get("epoch").asDouble(),
        json.get("secondsLeft").asDouble(),
        gauges);
  }
}
