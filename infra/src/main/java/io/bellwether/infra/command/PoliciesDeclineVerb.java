package io.bellwether.infra.command;

import java.time.Clock;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Turns a proposal down. */
@Command(
    name = "decline",
    description = {"Turn a proposal down, or take your own back; the log has the number."},
    footerHeading = "%nExamples:%n",
    footer = {"  bellwether policies decline 17 --why \"wait for Monday\""})
final class PoliciesDeclineVerb implements Callable<Integer> {
  private final Terminal terminal;
  private final Clock clock;

  @Mixin private final ReleaseOptions options = new ReleaseOptions();

  @Parameters(paramLabel = "NUMBER", description = "As policies log lists it.")
  private long proposal;

  PoliciesDeclineVerb(Terminal terminal, Clock clock) {
    this.terminal = terminal;
    this.clock = clock;
  }

  @Override
  public Integer call() throws Exception {
    return options.run(
        clock, terminal, (store, who, why) -> store.releases().decline(proposal, who, why));
  }
}
