package io.bellwether.infra.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Ends an experiment with a winner. */
@Command(
    name = "conclude",
    description = {
      "End an experiment with a winner: everybody gets it from then on.",
      "Where the winner is a policy it becomes the surface's champion. Without evidence it takes"
          + " your reason to do without, which is kept."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether experiments conclude feed-v7 --winner treatment --why \"every promise kept\"",
      "  bellwether experiments conclude feed-v7 --winner control --why \"no difference\""
    })
final class ExperimentConcludeVerb implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final ServiceOption service = new ServiceOption();
  @Mixin private final JsonOption json = new JsonOption();

  @Parameters(paramLabel = "NAME", description = "The experiment.")
  private String name = "";

  @Option(
      names = "--winner",
      paramLabel = "VARIANT",
      required = true,
      description = "Who gets everybody.")
  private String winner = "";

  @Option(
      names = "--why",
      paramLabel = "TEXT",
      required = true,
      description = "The reason, for the log.")
  private String why = "";

  @Option(
      names = "--override",
      paramLabel = "REASON",
      description = "Conclude without the evidence that the plan asks for, for this reason.")
  private @Nullable String override;

  ExperimentConcludeVerb(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    ObjectNode body =
        ExperimentLines.because(MoveOptions.filled("--why", why)).put("winner", winner);
    if (override != null) {
      body.put("override", MoveOptions.filled("--override", override));
    }
    JsonNode state =
        service.client().post("/v1/experiments/" + ServiceClient.segment(name) + ":conclude", body);
    terminal.print(ExperimentLines.line(state));
    json.write(state);
    return ExitCode.DONE;
  }
}
