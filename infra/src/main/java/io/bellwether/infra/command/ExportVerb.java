package io.bellwether.infra.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Writes logged decisions for other tools. */
@Command(
    name = "export",
    description = "Write logged decisions to a file for other tools.",
    synopsisSubcommandLabel = "FORMAT",
    commandListHeading = "%nFormats:%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether export jsonl out.jsonl.gz --surface home-feed",
      "  bellwether export parquet --help"
    })
final class ExportVerb implements Runnable {
  @Spec private CommandSpec spec;

  /** Set by picocli before a verb runs. */
  @SuppressWarnings("NullAway.Init")
  ExportVerb() {}

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "Say in which format: dsjson, jsonl or parquet.");
  }
}
