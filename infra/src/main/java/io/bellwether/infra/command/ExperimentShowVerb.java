package io.bellwether.infra.command;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Shows one experiment: what was declared, where it stands, and every move. */
@Command(
    name = "show",
    description = "Show where an experiment stands, and every move: when, who and why.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether experiments show feed-v7",
      "  bellwether experiments show feed-v7 --json moves.json"
    })
final class ExperimentShowVerb implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final ServiceOption service = new ServiceOption();
  @Mixin private final JsonOption json = new JsonOption();

  @Parameters(paramLabel = "NAME", description = "The experiment.")
  private String name = "";

  ExperimentShowVerb(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    ServiceClient client = service.client();
    String path = "/v1/experiments/" + ServiceClient.segment(name);
    terminal.print(ExperimentLines.line(client.get(path)));
    JsonNode history = client.get(path + "/history");
    for (JsonNode move : history.path("items")) {
      terminal.print(
          "%s  %-12s  by %s: %s"
              .formatted(
                  move.path("when").asText(),
                  move.path("kind").asText(),
                  move.path("who").asText(),
                  move.path("why").asText()));
    }
    json.write(history);
    return ExitCode.DONE;
  }
}
