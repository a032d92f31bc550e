package io.bellwether.infra.command;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Shows one dead letter: why it was refused, what it says, and what was done about it. */
@Command(
    name = "show",
    description = "Show why an event was refused, what it says, and what was done about it.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether dead-letters show 0-17",
      "  bellwether dead-letters show 0-17 --json letter.json"
    })
final class DeadLettersShowVerb implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final ServiceOption service = new ServiceOption();
  @Mixin private final JsonOption json = new JsonOption();

  @Parameters(paramLabel = "ID", description = "The dead letter, as 0-17.")
  private String id = "";

  DeadLettersShowVerb(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    JsonNode letter = service.admin().get(LetterOptions.PATH + "/" + ServiceClient.segment(id));
    terminal.print(LetterOptions.line(letter));
    letter
        .fields()
        .forEachRemaining(
            field -> {
              if (!field.getKey().equals("event")) {
                terminal.print("%-12s %s".formatted(field.getKey(), field.getValue().asText("")));
              }
            });
    terminal.print(letter.path("event").toPrettyString());
    json.write(letter);
    return ExitCode.DONE;
  }
}
