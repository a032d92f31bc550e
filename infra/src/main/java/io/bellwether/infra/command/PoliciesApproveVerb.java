package io.bellwether.infra.command;

import java.time.Clock;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Approves what somebody else has proposed. */
@Command(
    name = "approve",
    description = {
      "Do what somebody else has proposed; the log has the number.",
      "Whoever proposed it cannot approve it."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  bellwether policies approve 17 --why \"read its report\" --who bob"})
final class PoliciesApproveVerb implements Callable<Integer> {
  private final Terminal terminal;
  private final Clock clock;

  @Mixin private final ReleaseOptions options = new ReleaseOptions();

  @Parameters(paramLabel = "NUMBER", description = "As policies log lists it.")
  private long proposal;

  PoliciesApproveVerb(Terminal terminal, Clock clock) {
    this.terminal = terminal;
    this.clock = clock;
  }

  @Override
  public Integer call() throws Exception {
    return options.run(
        clock, terminal, (store, who, why) -> store.releases().approve(proposal, who, why));
  }
}
