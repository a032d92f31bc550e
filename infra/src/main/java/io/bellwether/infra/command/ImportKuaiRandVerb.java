package io.bellwether.infra.command;

import io.bellwether.infra.local.Installation;
import io.bellwether.trainer.imports.kuairand.KuaiRandImport;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Imports the KuaiRand dataset. */
@Command(
    name = "kuairand",
    description = {
      "Import KuaiRand: log_random*.csv, log_standard*.csv, user_features*.csv and"
          + " video_features_basic*.csv of a folder, as many as are there.",
      "Videos that were shown at random have exact propensities among a sample of the pool; all"
          + " others have none."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether import kuairand KuaiRand-Pure --surface kuairand --surfaces examples/imports",
      "  bellwether import kuairand KuaiRand-Pure --log both --surface kuairand --dry-run"
    })
final class ImportKuaiRandVerb implements Callable<Integer> {
  private final Installation installation;
  private final Terminal terminal;

  @Mixin private final ImportOptions options = new ImportOptions();

  @Parameters(paramLabel = "DIR", description = "Folder with the files, or with data/.")
  private Path folder = Path.of("");

  @Option(
      names = "--log",
      paramLabel = "WHICH",
      defaultValue = "random",
      description = "random, standard or both (default: ${DEFAULT-VALUE}).")
  private String log = "random";

  @Option(
      names = "--candidates",
      paramLabel = "N",
      defaultValue = "100",
      description =
          "Candidates of a decision: the shown video and others drawn from the pool (default:"
              + " ${DEFAULT-VALUE}).")
  private int candidates = 100;

  ImportKuaiRandVerb(Installation installation, Terminal terminal) {
    this.installation = installation;
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws Exception {
    return options.run(
        "kuairand",
        KuaiRandImport.source(
            options.name(folder), folder, part(), candidates, options.surface(installation)),
        installation,
        terminal);
  }

  private KuaiRandImport.Part part() {
    return switch (log) {
      case "random" -> KuaiRandImport.Part.RANDOM;
      case "standard" -> KuaiRandImport.Part.STANDARD;
      case "both" -> KuaiRandImport.Part.BOTH;
      default ->
          throw CommandFailed.wrongInput(
              "--log " + log + " is none of KuaiRand's logs.", "Give random, standard or both.");
    };
  }
}
