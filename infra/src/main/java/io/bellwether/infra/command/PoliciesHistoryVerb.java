package io.bellwether.infra.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.policy.version.Alias;
import io.bellwether.policy.version.AliasMove;
import io.bellwether.policy.version.PolicyStore;
import java.io.IOException;
import java.time.Clock;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Shows every move of a policy's aliases. */
@Command(
    name = "history",
    description = "Show every move of a policy's aliases: which way, when, who and why.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether policies history short-video",
      "  bellwether policies history short-video --json moves.json"
    })
final class PoliciesHistoryVerb implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final DataOption data = new DataOption();
  @Mixin private final StoreOption storeOption = new StoreOption();
  @Mixin private final JsonOption json = new JsonOption();

  @Parameters(paramLabel = "NAME", description = "A policy; it is named as its surface.")
  private String name = "";

  PoliciesHistoryVerb(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    PolicyStore store = storeOption.open(data.folder(), Clock.systemUTC());
    if (!store.names().contains(name)) {
      throw CommandFailed.wrongInput(
          "There is no policy " + name + ".",
          "`./bellwether policies` lists those that there are.");
    }
    ObjectMapper mapper = new ObjectMapper();
    ObjectNode tree = mapper.createObjectNode();
    ArrayNode moves = tree.put("name", name).putArray("moves");
    for (Alias alias : Alias.values()) {
      for (AliasMove move : store.history(name, alias)) {
        terminal.print(
            "%s  %s%s  by %s: %s"
                .formatted(
                    move.at(),
                    MoveLine.of(move),
                    move.rollback() ? ", taken back" : "",
                    move.who(),
                    move.why()));
        moves.add(mapper.readTree(move.toBytes()));
      }
    }
    if (moves.isEmpty()) {
      terminal.print("No alias of " + name + " has moved yet.");
    }
    json.write(tree);
    return ExitCode.DONE;
  }
}
