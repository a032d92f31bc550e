package io.bellwether.infra.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import io.bellwether.trainer.report.TrainingReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows how a version's training went. */
@Command(
    name = "training",
    description = {
      "Show how a version's training went: curves, promises, distance from the log, and whether its"
          + " critics say what happened.",
      "Prints what is odd, writes the page and opens it where there is a desktop."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether report training v0123456789ab",
      "  bellwether report training champion --surface short-video --json training.json"
    })
final class ReportTrainingVerb implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final DataOption data = new DataOption();
  @Mixin private final StoreOption store = new StoreOption();
  @Mixin private final JsonOption json = new JsonOption();

  @Parameters(paramLabel = "VERSION", description = "A version, or an alias.")
  private String word = "";

  @Option(
      names = "--surface",
      paramLabel = "NAME",
      description = "The surface, where an alias is named.")
  private @Nullable String surface;

  @Option(names = "--no-browser", description = "Only write the page.")
  private boolean quiet;

  ReportTrainingVerb(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    PolicyStore versions = store.open(data.folder(), Clock.systemUTC());
    VersionId version = new NamedPolicies(versions, surface).version(word, "VERSION");
    if (versions.manifest(version).files().stream()
        .noneMatch(file -> file.path().equals(TrainingReport.PAGE))) {
      throw CommandFailed.wrongInput(
          version + " keeps no report of its training.",
          "Versions have one since training writes it; imported ones and older ones do not.");
    }
    JsonNode report = new ObjectMapper().readTree(versions.file(version, TrainingReport.JSON));
    report.path("warnings").forEach(warning -> terminal.progress(warning.asText()));
    Path folder = Files.createDirectories(data.folder().resolve("reports"));
    Path page = folder.resolve(version + "-training.html");
    WholeFile.write(page, versions.file(version, TrainingReport.PAGE));
    terminal.print(page.toString());
    boolean opened = !quiet && new DesktopOpener(System.getenv()).open(page);
    if (!opened) {
      terminal.progress("Open it with a browser; it needs no network.");
    }
    json.write(report);
    return ExitCode.DONE;
  }
}
