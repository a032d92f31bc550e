package io.bellwether.infra.command;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Stops all experiments of a surface at once. */
@Command(
    name = "stop-all",
    description = "Stop all experiments of a surface at once: everybody gets the champion.",
    footerHeading = "%nExamples:%n",
    footer = "  bellwether experiments stop-all home-feed --why \"incident 4711\"")
final class ExperimentStopAllVerb implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final ServiceOption service = new ServiceOption();
  @Mixin private final JsonOption json = new JsonOption();

  @Parameters(paramLabel = "SURFACE", description = "The surface.")
  private String surface = "";

  @Option(
      names = "--why",
      paramLabel = "TEXT",
      required = true,
      description = "The reason, for the log.")
  private String why = "";

  ExperimentStopAllVerb(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    JsonNode stopped =
        service
            .client()
            .post(
                "/v1/experiments:stop-all",
                ExperimentLines.because(MoveOptions.filled("--why", why)).put("surface", surface));
    stopped.path("items").forEach(state -> terminal.print(ExperimentLines.line(state)));
    if (stopped.path("items").isEmpty()) {
      terminal.print("No experiment of " + surface + " was running.");
    }
    json.write(stopped);
    return ExitCode.DONE;
  }
}
