package io.bellwether.infra.command;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Says in words what an experiment shows so far. */
@Command(
    name = "results",
    description = {
      "Say in words what an experiment shows so far: effects with intervals, guardrails, whether"
          + " the split is as declared, and what the rollout waits for.",
      "The default method may be looked at as often as you like; --method fixed only once, at the"
          + " planned size."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether experiments results feed-v7",
      "  bellwether experiments results feed-v7 --method group-sequential --json out.json"
    })
final class ExperimentResultsVerb implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final ServiceOption service = new ServiceOption();
  @Mixin private final JsonOption json = new JsonOption();

  @Parameters(paramLabel = "NAME", description = "The experiment.")
  private String name = "";

  @Option(
      names = "--method",
      paramLabel = "METHOD",
      description = "sequential, msprt, fixed, group-sequential or bayes (default: as declared).")
  private @Nullable String method;

  ExperimentResultsVerb(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    String query =
        method == null ? "" : "?method=" + method.toUpperCase(Locale.ROOT).replace('-', '_');
    JsonNode results =
        service.client().get("/v1/experiments/" + ServiceClient.segment(name) + "/results" + query);
    results.path("summary").forEach(sentence -> terminal.print(sentence.asText()));
    results
        .path("gate")
        .path("reasons")
        .forEach(
            reason ->
                terminal.print(
                    "%s: %s"
                        .formatted(
                            results.path("gate").path("verdict").asText(), reason.asText())));
    json.write(results);
    return ExitCode.DONE;
  }
}
