package io.bellwether.infra.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Says what is to be sent in the place of a refused event. */
@Command(
    name = "fix",
    description = "Say what to send in the place of a refused event; `replay` sends it.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether dead-letters fix 0-17 --event '{\"value\": 3}' --why \"divided by zero\"",
      "  bellwether dead-letters fix 0-18 --file event.avro --why \"it was cut off\""
    })
final class DeadLettersFixVerb implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final ServiceOption service = new ServiceOption();
  @Mixin private final JsonOption json = new JsonOption();

  @Parameters(paramLabel = "ID", description = "The dead letter, as 0-17.")
  private String id = "";

  @ArgGroup(multiplicity = "1")
  private Change change = new Change();

  @Option(
      names = "--why",
      paramLabel = "TEXT",
      required = true,
      description = "The reason, kept with the letter.")
  private String why = "";

  /** One of these. */
  static final class Change {
    @Option(
        names = "--event",
        paramLabel = "JSON",
        description = "The fields that change, as `show` names them; null leaves one out.")
    private @Nullable String event;

    @Option(
        names = "--file",
        paramLabel = "FILE",
        description = "All bytes, where the original ones are no event.")
    private @Nullable Path file;
  }

  DeadLettersFixVerb(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.put("why", MoveOptions.filled("--why", why));
    if (change.event != null) {
      body.set("event", parsed(change.event));
    }
    if (change.file != null) {
      body.put("value", Files.readAllBytes(change.file));
    }
    JsonNode letter =
        service.admin().patch(LetterOptions.PATH + "/" + ServiceClient.segment(id), body);
    terminal.print(LetterOptions.line(letter));
    json.write(letter);
    return ExitCode.DONE;
  }

  private static JsonNode parsed(String text) {
    try {
      return new ObjectMapper().readTree(text);
    } catch (JsonProcessingException e) {
      throw CommandFailed.wrongInput(
          "--event is no JSON: " + e.getOriginalMessage(), "Write an object, in single quotes.");
    }
  }
}
