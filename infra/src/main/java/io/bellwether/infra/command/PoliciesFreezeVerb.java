package io.bellwether.infra.command;

import java.time.Clock;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Forbids all moves and pins. */
@Command(
    name = "freeze",
    description = {
      "Forbid all moves and pins of a policy, or of all, until they are unfrozen.",
      "Taking a move back is forbidden too."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether policies freeze short-video --why \"an audit\"",
      "  bellwether policies freeze --all --why \"an audit\""
    })
final class PoliciesFreezeVerb implements Callable<Integer> {
  private final Terminal terminal;
  private final Clock clock;

  @Mixin private final ReleaseOptions options = new ReleaseOptions();

  @Parameters(
      paramLabel = "NAME",
      arity = "0..1",
      description = "A policy; it is named as its surface.")
  private @Nullable String name;

  @Option(names = "--all", description = "All policies of the store.")
  private boolean all;

  PoliciesFreezeVerb(Terminal terminal, Clock clock) {
    this.terminal = terminal;
    this.clock = clock;
  }

  @Override
  public Integer call() throws Exception {
    String one = name;
    if (all == (one != null)) {
      throw CommandFailed.wrongInput("What is to be frozen?", "Name a policy, or give --all.");
    }
    return options.run(
        clock,
        terminal,
        (store, who, why) -> {
          if (one != null) {
            ReleaseOptions.requireKnown(store, one);
          }
          return store.releases().freeze(one, who, why);
        });
  }
}
