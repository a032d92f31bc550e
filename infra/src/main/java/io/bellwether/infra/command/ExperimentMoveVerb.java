package io.bellwether.infra.command;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A move of an experiment that needs nothing but its name and a reason. */
@Command
final class ExperimentMoveVerb implements Callable<Integer> {
  private final Terminal terminal;
  private final String move;

  @Mixin private final ServiceOption service = new ServiceOption();
  @Mixin private final JsonOption json = new JsonOption();

  @Parameters(paramLabel = "NAME", description = "The experiment.")
  private String name = "";

  @Option(
      names = "--why",
      paramLabel = "TEXT",
      required = true,
      description = "The reason, for the log.")
  private String why = "";

  private ExperimentMoveVerb(Terminal terminal, String move) {
    this.terminal = terminal;
    this.move = move;
  }

  /** The verb for one move, named as the API names it. */
  static CommandLine of(Terminal terminal, String move, String description) {
    CommandLine verb = new CommandLine(new ExperimentMoveVerb(terminal, move));
    verb.getCommandSpec().name(move);
    verb.getCommandSpec().usageMessage().description(description);
    verb.getCommandSpec().usageMessage().footerHeading("%nExamples:%n");
    verb.getCommandSpec()
        .usageMessage()
        .footer("  bellwether experiments " + move + " feed-v7 --why \"...\"");
    return verb;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    JsonNode state =
        service
            .client()
            .post(
                "/v1/experiments/" + ServiceClient.segment(name) + ":" + move,
                ExperimentLines.because(MoveOptions.filled("--why", why)));
    terminal.print(ExperimentLines.line(state));
    json.write(state);
    return ExitCode.DONE;
  }
}
