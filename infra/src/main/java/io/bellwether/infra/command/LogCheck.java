package io.bellwether.infra.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;

/**
 * What a log is worth for judging a policy, without a value of it: what validation found, and with
 * {@code diagnose} whether the weights can carry an evaluation.
 *
 * @param report the whole report, of which the values are not shown
 */
record LogCheck(JsonNode report, boolean diagnose) {

  /** The report without its values. */
  ObjectNode json() {
    ObjectNode tree = new ObjectMapper().createObjectNode();
    tree.put("usable", usable());
    tree.set("data", report.at("/meta/data"));
    tree.set("validation", report.path("validation"));
    if (diagnose) {
      tree.set("checks", report.at("/gate/checks"));
      tree.set("diagnostics", report.path("diagnostics"));
      tree.set("sampleSize", report.path("sampleSize"));
    }
    return tree;
  }

  /** Whether nothing refuses a value. */
  boolean usable() {
    boolean refused = has("REFUSE", "severity", report.path("validation"));
    return !refused && !(diagnose && has("REFUSE", "status", report.at("/gate/checks")));
  }

  private static boolean has(String word, String field, JsonNode list) {
    for (JsonNode each : list) {
      if (each.path(field).asText().equals(word)) {
        return true;
      }
    }
    return false;
  }

  void print(Terminal terminal) {
    JsonNode data = report.at("/meta/data");
    terminal.print(
        "data      %s decisions of %s people, %s to %s"
            .formatted(
                data.path("decisions").asText(),
                data.path("units").asText(),
                data.path("from").asText(),
                data.path("to").asText()));
    data.path("findings")
        .fields()
        .forEachRemaining(
            each -> terminal.print("left out  %s %s".formatted(each.getValue(), each.getKey())));
    for (JsonNode each : report.path("validation")) {
      terminal.print(
          "%-9s %s"
              .formatted(
                  each.path("severity").asText().toLowerCase(Locale.ROOT),
                  each.path("words").asText()));
    }
    if (diagnose) {
      for (JsonNode each : report.at("/gate/checks")) {
        terminal.print(
            String.format(
                Locale.ROOT,
                "check     %-36s %12.5g  limit %10.5g  %s",
                each.path("name").asText(),
                each.path("observed").asDouble(),
                each.path("limit").asDouble(),
                each.path("status").asText().toLowerCase(Locale.ROOT).replace('_', ' ')));
      }
    }
    terminal.print("usable    " + (usable() ? "yes" : "no"));
  }
}
