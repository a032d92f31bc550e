package io.bellwether.infra.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** All that can be done with the reports that are kept with versions. */
@Command(
    name = "report",
    description = "Open, print or compare the reports that are kept with policy versions.",
    synopsisSubcommandLabel = "WHAT",
    commandListHeading = "%nWhat:%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether report open v0123456789ab",
      "  bellwether report show champion --surface short-video",
      "  bellwether report diff v0123456789ab@1 v0123456789ab",
      "  bellwether report reward v0123456789ab",
      "  bellwether report schema > report.schema.json"
    })
final class ReportVerb implements Runnable {
  @Spec private CommandSpec spec;

  /** Set by picocli before a verb runs. */
  @SuppressWarnings("NullAway.Init")
  ReportVerb() {}

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "Say what to do with reports: open, show, diff, reward or schema.");
  }
}
