package io.bellwether.trainer.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** Values per session beside those per decision, as advice. */
final class SessionSection implements Section {

  /** Fewer effective sessions than this speak for nobody. */
  private static final double FEW = 100;

  @Override
  public void write(StoredReport report, Html html) {
    JsonNode sessions = report.root().path("perSession");
    if (sessions.path("values").isEmpty()) {
      return;
    }
    Section.heading(html, "sessions", "Value per session (advisory)");
    html.paragraph(
        "Each step counts %s of the one before; %s sessions, of which %s did not end by themselves. %s The verdict rests on values per decision."
            .formatted(
                Figures.number(sessions.path("discount")),
                sessions.path("sessions").asText(),
                sessions.path("cutOff").asText(),
                reach(sessions)));
    List<String> unmet = StoredReport.texts(sessions.path("unmet"));
    if (!unmet.isEmpty()) {
      html.paragraph(
          "Were sessions to decide, %s would be the estimator, but: %s."
              .formatted(sessions.path("estimator").asText(), String.join("; ", unmet)));
    }
    Table table =
        Table.of(
            "signal", "policy", "estimator", "value #", "standard error #", "95 % interval", "");
    for (JsonNode each : sessions.path("values")) {
      table.styled(
          each.path("value").isNumber() ? "" : "refused",
          each.path("signal").asText(),
          each.path("policy").asText(),
          each.path("estimator").asText(sessions.path("estimator").asText()),
          Figures.number(each.path("value")),
          Figures.number(each.path("se")),
          SignalTables.interval(each, "interval"),
          each.path("reason").asText(""));
    }
    html.table(table);
  }

  private static String reach(JsonNode sessions) {
    int step = 0;
    for (JsonNode size : sessions.path("effectiveSampleSizes")) {
      if (size.asDouble() < FEW) {
        return "From step %d on the weights are worth fewer than 100 sessions; a value of which more than 20 %% stands at such steps is not stated, and one of which less does may lie nearer to the log's than it is, beyond its interval."
            .formatted(step);
      }
      step++;
    }
    return "At every step the weights are worth at least 100 sessions.";
  }
}
