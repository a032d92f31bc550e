package io.bellwether.infra.command;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists the experiments of a running service. */
@Command(
    name = "experiments",
    description = "List the experiments of a running service; or create, move and read one.",
    synopsisSubcommandLabel = "MORE",
    commandListHeading = "%nMore:%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether experiments",
      "  bellwether experiments create examples/experiments/rollout.yaml --start",
      "  bellwether experiments results feed-v7",
      "  bellwether experiments rollback feed-v7 --why \"support reports empty feeds\""
    })
final class ExperimentsVerb implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final ServiceOption service = new ServiceOption();
  @Mixin private final JsonOption json = new JsonOption();

  ExperimentsVerb(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    JsonNode list = service.client().get("/v1/experiments?pageSize=1000");
    if (list.path("items").isEmpty()) {
      terminal.print("There is no experiment yet.");
    }
    for (JsonNode each : list.path("items")) {
      terminal.print(ExperimentLines.line(each));
    }
    json.write(list);
    return ExitCode.DONE;
  }
}
