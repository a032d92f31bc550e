package io.bellwether.infra.command;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Tells why a decision showed what it showed, and what came of it. */
@Command(
    name = "explain",
    description = "Tell why a decision showed what it showed, and what came of it so far.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether explain 01JD8Z5Y3M7Q2W4T6R8V0X1C3B",
      "  bellwether explain order-4711 --decided-at 2026-11-30T12:00:00Z --json why.json"
    })
final class ExplainVerb implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final ServiceOption service = new ServiceOption();
  @Mixin private final JsonOption json = new JsonOption();

  @Parameters(paramLabel = "ID", description = "The decision's id.")
  private String id = "";

  @Option(
      names = "--decided-at",
      paramLabel = "TIME",
      description =
          "About when it was made, RFC 3339. Needed for an id of your own that the service keeps"
              + " no longer for retries.")
  private @Nullable Instant decidedAt;

  ExplainVerb(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    String path = "/v1/decisions/" + ServiceClient.segment(id);
    JsonNode told =
        service.client().get(decidedAt == null ? path : path + "?decidedAt=" + decidedAt);
    lines(told).forEach(terminal::print);
    json.write(told);
    return ExitCode.DONE;
  }

  private static List<String> lines(JsonNode told) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "%s decided %s for %s at %s."
            .formatted(
                told.path("policy").path("version").asText(),
                told.path("decisionId").asText(),
                told.path("subjectId").asText(),
                told.path("decidedAt").asText()));
    JsonNode degraded = told.path("degraded");
    if (!degraded.isMissingNode()) {
      lines.add(
          "Degraded: %s, answered by %s."
              .formatted(
                  degraded.path("reason").asText(), degraded.path("fallback").asText("itself")));
    }
    JsonNode experiment = told.path("experiment");
    if (!experiment.isMissingNode()) {
      lines.add(
          "Variant %s of experiment %s, phase %d."
              .formatted(
                  experiment.path("variant").asText(),
                  experiment.path("name").asText(),
                  experiment.path("phase").asInt()));
    }
    lines.add(
        told.path("explored").asBoolean()
            ? "It explored: chance, and not the scores alone, chose this slate."
            : "It shows what scored highest.");
    addSlate(told, lines);
    addRules(told.path("rules"), lines);
    addOutcomes(told, lines);
    addTiming(told.path("timing"), lines);
    return lines;
  }

  private static void addSlate(JsonNode told, List<String> lines) {
    JsonNode candidates = told.path("candidates");
    lines.add(
        "%d of %d candidates%s; values: %s."
            .formatted(
                told.path("slate").size(),
                candidates.size(),
                told.has("retrieval") ? " (by " + told.path("retrieval").asText() + ")" : "",
                told.path("values").asText()));
    for (JsonNode position : told.path("slate")) {
      String shown = position.path("candidateId").asText();
      JsonNode candidate = named(candidates, shown);
      lines.add(
          "  %d  %-24s propensity %.4f  score %8.4f%s"
              .formatted(
                  position.path("position").asInt(),
                  shown,
                  position.path("propensity").asDouble(),
                  candidate.path("score").asDouble(),
                  values(candidate.path("values"))));
    }
  }

  private static JsonNode named(JsonNode candidates, String id) {
    for (JsonNode candidate : candidates) {
      if (candidate.path("candidateId").asText().equals(id)) {
        return candidate;
      }
    }
    return candidates.path(-1);
  }

  private static String values(JsonNode values) {
    StringBuilder text = new StringBuilder();
    for (Map.Entry<String, JsonNode> value : values.properties()) {
      text.append(
          String.format(Locale.ROOT, "  %s %.3f", value.getKey(), value.getValue().asDouble()));
    }
    return text.toString();
  }

  private static void addRules(JsonNode rules, List<String> lines) {
    for (JsonNode pin : rules.path("pins")) {
      lines.add(
          "  rule: %s is pinned to position %d"
              .formatted(pin.path("candidateId").asText(), pin.path("position").asInt()));
    }
    for (JsonNode grouping : rules.path("groupings")) {
      lines.add("  rule: " + grouping.asText());
    }
    for (JsonNode masked : rules.path("masked")) {
      lines.add(
          "  left out: %s (%s)"
              .formatted(masked.path("candidateId").asText(), masked.path("reason").asText()));
    }
    for (JsonNode relaxed : rules.path("relaxed")) {
      lines.add("  given up: " + relaxed.asText());
    }
  }

  private static void addOutcomes(JsonNode told, List<String> lines) {
    JsonNode outcomes = told.path("outcomes");
    if (outcomes.isEmpty()) {
      lines.add("Nothing is known to have come of it yet.");
    }
    for (JsonNode outcome : outcomes) {
      lines.add(
          "  %s  %s = %s  %s"
              .formatted(
                  outcome.path("occurredAt").asText(),
                  outcome.path("signal").asText(),
                  outcome.path("value").asText(),
                  outcome.path("itemId").asText("the slate")));
    }
    if (!told.path("outcomesComplete").asBoolean(true)) {
      lines.add("The log was not read to its end: there may be more.");
    }
  }

  private static void addTiming(JsonNode timing, List<String> lines) {
    if (timing.isMissingNode()) {
      return;
    }
    List<String> stages = new ArrayList<>();
    for (Map.Entry<String, JsonNode> stage : timing.properties()) {
      stages.add(
          String.format(
              Locale.ROOT, "%s %.2f ms", stage.getKey(), stage.getValue().asInt() / 1000.0));
    }
    lines.add("Time: " + String.join(", ", stages) + ".");
  }
}
