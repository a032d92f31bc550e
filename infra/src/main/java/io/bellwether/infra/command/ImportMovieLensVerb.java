package io.bellwether.infra.command;

import io.bellwether.infra.local.Installation;
import io.bellwether.trainer.imports.movielens.MovieLensImport;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Imports a MovieLens dataset. */
@Command(
    name = "movielens",
    description = {
      "Import MovieLens: ratings.csv and movies.csv of a folder. Each rating is a decision that"
          + " showed the film.",
      "There are no propensities: a source for simulations, not for evaluation."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether import movielens ml-latest-small --surface movielens --surfaces"
          + " examples/imports"
    })
final class ImportMovieLensVerb implements Callable<Integer> {
  private final Installation installation;
  private final Terminal terminal;

  @Mixin private final ImportOptions options = new ImportOptions();

  @Parameters(paramLabel = "DIR", description = "Folder with the files.")
  private Path folder = Path.of("");

  @Option(
      names = "--candidates",
      paramLabel = "N",
      defaultValue = "50",
      description =
          "Candidates of a decision: the rated film and others drawn at random (default:"
              + " ${DEFAULT-VALUE}).")
  private int candidates = 50;

  ImportMovieLensVerb(Installation installation, Terminal terminal) {
    this.installation = installation;
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws Exception {
    return options.run(
        "movielens",
        MovieLensImport.source(
            options.name(folder), folder, candidates, options.surface(installation)),
        installation,
        terminal);
  }
}
