package io.bellwether.infra.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** All that keeps an archive in order. */
@Command(
    name = "archive",
    description = "Look after the archive of logged transitions.",
    synopsisSubcommandLabel = "WHAT",
    commandListHeading = "%nWhat:%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether archive status",
      "  bellwether archive compact",
      "  bellwether archive verify --record",
      "  bellwether archive expire --older-than 400d --dry-run"
    })
final class ArchiveVerb implements Runnable {
  @Spec private CommandSpec spec;

  /** Set by picocli before a verb runs. */
  @SuppressWarnings("NullAway.Init")
  ArchiveVerb() {}

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "Say what to do with the archive: status, verify, compact or expire.");
  }
}
