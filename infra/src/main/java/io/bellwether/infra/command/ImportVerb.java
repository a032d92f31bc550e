package io.bellwether.infra.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Turns logs from elsewhere into archives to train on and to evaluate with. */
@Command(
    name = "import",
    description = "Turn a log from elsewhere into an archive to train on and to evaluate with.",
    synopsisSubcommandLabel = "KIND",
    commandListHeading = "%nKinds:%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether import open-bandit obd/",
      "  bellwether import csv clicks.csv --mapping clicks.yaml --surface shop --dry-run",
      "  bellwether import dsjson events.json.gz --surface home",
      "  bellwether import csv --help"
    })
final class ImportVerb implements Runnable {
  @Spec private CommandSpec spec;

  /** Set by picocli before a verb runs. */
  @SuppressWarnings("NullAway.Init")
  ImportVerb() {}

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "Say what to import: open-bandit, kuairand, movielens, dsjson, vw-text, csv, jsonl or"
            + " parquet.");
  }
}
