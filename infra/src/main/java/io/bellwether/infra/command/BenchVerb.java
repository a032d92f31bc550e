package io.bellwether.infra.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures Bellwether on this machine. */
@Command(
    name = "bench",
    description = "Measure Bellwether on this machine.",
    synopsisSubcommandLabel = "WHAT",
    commandListHeading = "%nWhat can be measured:%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether bench evaluation --quick",
      "  bellwether bench experiments --help",
      "  bellwether bench serving --help",
      "  bellwether bench chaos --quick",
      "  bellwether bench ingestion --quick",
      "  bellwether bench learning --quick"
    })
final class BenchVerb implements Runnable {
  @Spec private CommandSpec spec;

  /** Set by picocli before a verb runs. */
  @SuppressWarnings("NullAway.Init")
  BenchVerb() {}

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "Say what to measure: evaluation, experiments, ingestion, learning, serving or chaos.");
  }
}
