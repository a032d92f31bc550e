package io.bellwether.infra.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.bellwether.policy.s3.StoreAddress;
import io.bellwether.policy.version.AliasMove;
import io.bellwether.policy.version.PolicyStore;
import java.time.Clock;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Takes the latest move of an alias back. */
@Command(
    name = "rollback",
    description = {
      "Take the latest move of an alias back; a second time, the one before it.",
      "A running system serves the earlier version at once. It needs no verdict: the version was"
          + " there before."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether rollback short-video --why \"complaints about repeats\"",
      "  bellwether rollback short-video --alias challenger --why \"too early\""
    })
final class RollbackVerb implements Callable<Integer> {
  private final Terminal terminal;
  private final Clock clock;

  @Mixin private final DataOption data = new DataOption();
  @Mixin private final StoreOption storeOption = new StoreOption();
  @Mixin private final MoveOptions move = new MoveOptions();
  @Mixin private final JsonOption json = new JsonOption();

  @Parameters(paramLabel = "NAME", description = "A policy; it is named as its surface.")
  private String name = "";

  RollbackVerb(Terminal terminal, Clock clock) {
    this.terminal = terminal;
    this.clock = clock;
  }

  @Override
  public Integer call() throws Exception {
    String why = move.why();
    String who = move.who();
    StoreAddress place = storeOption.address(data.folder());
    try (LiveStore live = LiveStore.open(storeOption, data.folder(), clock, terminal)) {
      PolicyStore store = live.store();
      if (!store.names().contains(name)) {
        throw CommandFailed.wrongInput(
            "There is no policy " + name + " in " + place + ".",
            "`./bellwether policies` lists those that there are.");
      }
      AliasMove made = store.rollback(name, move.alias(), who, why);
      terminal.print(name + " " + MoveLine.of(made));
      json.write(new ObjectMapper().readTree(made.toBytes()));
    }
    return ExitCode.DONE;
  }
}
