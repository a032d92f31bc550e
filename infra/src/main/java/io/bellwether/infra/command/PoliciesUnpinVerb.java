package io.bellwether.infra.command;

import java.time.Clock;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Lets the champion answer again. */
@Command(
    name = "unpin",
    description = {"Let the champion of a policy answer by default again."},
    footerHeading = "%nExamples:%n",
    footer = {"  bellwether policies unpin short-video --why \"holidays are over\""})
final class PoliciesUnpinVerb implements Callable<Integer> {
  private final Terminal terminal;
  private final Clock clock;

  @Mixin private final ReleaseOptions options = new ReleaseOptions();

  @Parameters(paramLabel = "NAME", description = "A policy; it is named as its surface.")
  private String name = "";

  PoliciesUnpinVerb(Terminal terminal, Clock clock) {
    this.terminal = terminal;
    this.clock = clock;
  }

  @Override
  public Integer call() throws Exception {
    return options.run(
        clock, terminal, (store, who, why) -> store.releases().unpin(name, who, why));
  }
}
