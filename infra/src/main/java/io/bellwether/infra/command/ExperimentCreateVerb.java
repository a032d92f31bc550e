package io.bellwether.infra.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Creates an experiment from its declaration. */
@Command(
    name = "create",
    description = {
      "Create an experiment from a declaration in YAML or JSON; it is a draft until it is started.",
      "Exits 2 where the declaration has mistakes, and names all of them."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether experiments create examples/experiments/rollout.yaml",
      "  bellwether experiments create my.yaml --start"
    })
final class ExperimentCreateVerb implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final ServiceOption service = new ServiceOption();
  @Mixin private final JsonOption json = new JsonOption();

  @Parameters(paramLabel = "FILE", description = "The declaration.")
  private Path file = Path.of("");

  @Option(names = "--start", description = "Start it at once.")
  private boolean start;

  ExperimentCreateVerb(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    ServiceClient client = service.client();
    JsonNode state = client.post("/v1/experiments", ExperimentLines.read(file));
    if (start) {
      String name = state.path("declaration").path("name").asText();
      state =
          client.post(
              "/v1/experiments/" + ServiceClient.segment(name) + ":start",
              JsonNodeFactory.instance.objectNode());
    }
    terminal.print(ExperimentLines.line(state));
    json.write(state);
    return ExitCode.DONE;
  }
}
