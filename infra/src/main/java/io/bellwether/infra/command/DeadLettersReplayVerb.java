package io.bellwether.infra.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Sends refused events again, each once however often it is asked for. */
@Command(
    name = "replay",
    description = "Send refused events to where they came from; each once, however often asked.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether dead-letters replay 0-17 2-4",
      "  bellwether dead-letters replay --reason not-found --surface new-feed"
    })
final class DeadLettersReplayVerb implements Callable<Integer> {
  /** As many as the service sends in one transaction. */
  private static final int AT_ONCE = 100;

  private final Terminal terminal;

  @Mixin private final ServiceOption service = new ServiceOption();
  @Mixin private final LetterOptions letters = new LetterOptions();
  @Mixin private final JsonOption json = new JsonOption();

  @Parameters(
      arity = "0..*",
      paramLabel = "ID",
      description = "The dead letters, as 0-17; or options that say which.")
  private List<String> ids = List.of();

  DeadLettersReplayVerb(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (ids.isEmpty() == !letters.any()) {
      throw CommandFailed.wrongInput(
          "Name dead letters by their ids, or by options, and not both.",
          "`./bellwether dead-letters` lists them.");
    }
    ServiceClient client = service.admin();
    List<String> wanted = new ArrayList<>(ids);
    if (ids.isEmpty()) {
      for (JsonNode letter : letters.ask(client)) {
        if (!letter.path("status").asText().equals("REPLAYED")) {
          wanted.add(letter.path("id").asText());
        }
      }
    }
    ArrayNode replayed = JsonNodeFactory.instance.arrayNode();
    for (int from = 0; from < wanted.size(); from += AT_ONCE) {
      ObjectNode body = JsonNodeFactory.instance.objectNode();
      ArrayNode some = body.putArray("ids");
      wanted.subList(from, Math.min(from + AT_ONCE, wanted.size())).forEach(some::add);
      for (JsonNode letter : client.post(LetterOptions.PATH + ":replay", body).path("items")) {
        terminal.print(LetterOptions.line(letter));
        replayed.add(letter);
      }
    }
    terminal.print(
        replayed.isEmpty() ? "There was nothing to replay." : replayed.size() + " replayed.");
    json.write(replayed);
    return ExitCode.DONE;
  }
}
