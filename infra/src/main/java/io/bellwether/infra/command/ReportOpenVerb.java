package io.bellwether.infra.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.bellwether.policy.version.VersionId;
import io.bellwether.trainer.report.KeptReports;
import io.bellwether.trainer.report.ReportPage;
import io.bellwether.trainer.report.RewardReports;
import io.bellwether.trainer.report.VersionHistory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes a kept report's page to the data folder and opens it. */
@Command(
    name = "open",
    description = {
      "Write a report's page to reports in the data folder, open it where there is a desktop, and"
          + " print where it is.",
      "The page is one file that needs no network. What has happened to the version since the"
          + " report, such as an override, stands at its top."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether report open v0123456789ab",
      "  bellwether report open v0123456789ab@1 --no-browser"
    })
final class ReportOpenVerb implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final ReportChoice choice = new ReportChoice();
  @Mixin private final JsonOption json = new JsonOption();

  @Parameters(
      paramLabel = "REPORT",
      description = "A version (its latest report), VERSION@N, or an alias.")
  private String word = "";

  @Option(names = "--no-browser", description = "Only write the page.")
  private boolean quiet;

  ReportOpenVerb(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws Exception {
    VersionId version = choice.version(word);
    KeptReports.Kept kept = choice.kept(word);
    List<String> since = new VersionHistory(choice.store()).since(version, kept.evidence());
    Path folder = Files.createDirectories(choice.data().resolve("reports"));
    Path page = folder.resolve(version + "-" + kept.evidence().sequence() + ".html");
    WholeFile.write(
        page,
        new RewardReports(choice.store())
            .latest(version)
            .map(reward -> ReportPage.of(kept.report(), since, reward))
            .orElseGet(() -> ReportPage.of(kept.report(), since)));
    terminal.print(page.toString());
    boolean opened = !quiet && new DesktopOpener(System.getenv()).open(page);
    if (!opened) {
      terminal.progress("Open it with a browser; it needs no network.");
    }
    json.write(
        new ObjectMapper()
            .valueToTree(Map.of("page", page.toString(), "opened", opened, "since", since)));
    return ExitCode.DONE;
  }
}
