package io.bellwether.infra.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** All that is done with subjects' histories as a whole. */
@Command(
    name = "history",
    description = "Rebuild subjects' histories from the archive, or check those that were used.",
    synopsisSubcommandLabel = "WHAT",
    commandListHeading = "%nWhat:%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether history rebuild --surface feed",
      "  bellwether history check --surface feed --at-most 0.01"
    })
final class HistoryVerb implements Runnable {
  @Spec private CommandSpec spec;

  /** Set by picocli before a verb runs. */
  @SuppressWarnings("NullAway.Init")
  HistoryVerb() {}

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "Say what to do with histories: rebuild or check.");
  }
}
