package io.bellwether.infra.command;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Gives the treatment another share by hand. */
@Command(
    name = "ramp",
    description = "Give the treatment another share by hand; a new phase begins.",
    footerHeading = "%nExamples:%n",
    footer = "  bellwether experiments ramp feed-v7 10 --why \"the first step looks sound\"")
final class ExperimentRampVerb implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final ServiceOption service = new ServiceOption();
  @Mixin private final JsonOption json = new JsonOption();

  @Parameters(index = "0", paramLabel = "NAME", description = "The experiment.")
  private String name = "";

  @Parameters(index = "1", paramLabel = "PERCENT", description = "Of the treatment, 0 to 100.")
  private double percent;

  @Option(
      names = "--why",
      paramLabel = "TEXT",
      required = true,
      description = "The reason, for the log.")
  private String why = "";

  ExperimentRampVerb(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    JsonNode state =
        service
            .client()
            .post(
                "/v1/experiments/" + ServiceClient.segment(name) + ":ramp",
                ExperimentLines.because(MoveOptions.filled("--why", why)).put("percent", percent));
    terminal.print(ExperimentLines.line(state));
    json.write(state);
    return ExitCode.DONE;
  }
}
