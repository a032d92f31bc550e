package io.bellwether.infra.command;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists the events that a running system refused. */
@Command(
    name = "dead-letters",
    description = "List the events that were refused; or show, fix and replay them.",
    synopsisSubcommandLabel = "MORE",
    commandListHeading = "%nMore:%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether dead-letters --reason value-out-of-range",
      "  bellwether dead-letters show 0-17",
      "  bellwether dead-letters fix 0-17 --event '{\"value\": 3}' --why \"divided by zero\"",
      "  bellwether dead-letters replay 0-17"
    })
final class DeadLettersVerb implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final ServiceOption service = new ServiceOption();
  @Mixin private final LetterOptions letters = new LetterOptions();
  @Mixin private final JsonOption json = new JsonOption();

  DeadLettersVerb(Terminal terminal) {
    this.terminal = terminal;
  }

  /** The same under the name {@code list}. */
  static CommandLine list(Terminal terminal) {
    CommandLine list = new CommandLine(new DeadLettersVerb(terminal));
    list.getCommandSpec().name("list");
    list.getCommandSpec().usageMessage().description("List the events that were refused.");
    list.getCommandSpec().usageMessage().footer("  bellwether dead-letters list --most 20");
    return list;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<JsonNode> found = letters.ask(service.admin());
    if (found.isEmpty()) {
      terminal.print("There is no such dead letter.");
    }
    found.forEach(letter -> terminal.print(LetterOptions.line(letter)));
    json.write(found);
    return ExitCode.DONE;
  }
}
