package io.bellwether.infra.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Forgets what was decided for a subject, and waits for the receipt. */
@Command(
    name = "erase",
    description = "Forget what was decided for a subject up to now, and print the receipt.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether erase u-42 --yes --why \"request of 30 November\"",
      "  bellwether erase u-42 --yes --json receipt.json"
    })
final class EraseVerb implements Callable<Integer> {
  private static final Duration POLL = Duration.ofMillis(500);

  private final Terminal terminal;

  @Mixin private final ServiceOption service = new ServiceOption();
  @Mixin private final JsonOption json = new JsonOption();

  @Parameters(paramLabel = "SUBJECT", description = "The subject's id, as products send it.")
  private String subject = "";

  @Option(names = "--yes", description = "There is no way back; say that this is known.")
  private boolean yes;

  @Option(
      names = "--why",
      paramLabel = "TEXT",
      defaultValue = "",
      description = "A reason for the receipt, which is kept: name nobody in it.")
  private String why = "";

  @Option(
      names = "--wait",
      paramLabel = "SECONDS",
      defaultValue = "600",
      description = "How long to wait for the receipt (default: ${DEFAULT-VALUE}).")
  private int wait;

  EraseVerb(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (!yes) {
      throw CommandFailed.wrongInput(
          "Nothing was erased: what is erased cannot be brought back.",
          "Add --yes if it is meant.");
    }
    ServiceClient client = service.admin();
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    if (!why.isBlank()) {
      body.put("reason", why);
    }
    JsonNode asked = client.post("/v1/subjects/" + ServiceClient.segment(subject) + ":erase", body);
    String job = asked.path("job").asText();
    terminal.progress("erasure " + job + " begins");
    JsonNode state = receipt(client, job);
    print(state);
    json.write(state);
    return ExitCode.DONE;
  }

  private JsonNode receipt(ServiceClient client, String job) throws InterruptedException {
    long until = System.nanoTime() + Duration.ofSeconds(wait).toNanos();
    String waitsFor = "";
    while (true) {
      JsonNode state = client.get("/v1/erasures/" + job);
      if (state.path("status").asText().equals("DONE")) {
        return state;
      }
      if (!state.path("waitsFor").asText().equals(waitsFor)) {
        waitsFor = state.path("waitsFor").asText();
        terminal.progress("waiting for " + waitsFor);
      }
      if (System.nanoTime() > until) {
        throw CommandFailed.unavailable(
            "Erasure %s is on its way and still waits for %s.".formatted(job, waitsFor),
            "See that the streams and Redis run; GET /v1/erasures/" + job + " has the receipt.",
            null);
      }
      Thread.sleep(POLL.toMillis());
    }
  }

  private void print(JsonNode state) {
    JsonNode receipt = state.path("receipt");
    terminal.print(
        "Erased up to %s, receipt %d, digest %s"
            .formatted(
                receipt.path("until").asText(),
                receipt.path("sequence").asLong(),
                state.path("digest").asText()));
    for (JsonNode each : receipt.path("erased")) {
      terminal.print(
          "  %-8s %6d %s"
              .formatted(
                  each.path("where").asText(),
                  each.path("count").asLong(),
                  each.path("what").asText()));
    }
    for (JsonNode each : receipt.path("expires")) {
      terminal.print(
          "  %s: %s"
              .formatted(
                  each.path("where").asText(),
                  each.has("by")
                      ? "gone by " + each.path("by").asText()
                      : "kept for ever, set retention.ms"));
    }
    for (JsonNode each : receipt.path("remains")) {
      terminal.print("  remains: " + each.asText());
    }
  }
}
