package io.bellwether.infra.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.bellwether.infra.local.Installation;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import io.bellwether.trainer.report.HumanAnswers;
import io.bellwether.trainer.report.HumanField;
import io.bellwether.trainer.report.LiveValues;
import io.bellwether.trainer.report.RewardReport;
import io.bellwether.trainer.report.RewardReports;
import io.bellwether.trainer.report.VersionHistory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes and keeps a version's Reward Report. */
@Command(
    name = "reward",
    description = {
      "Write a version's Reward Report: what it is for, what it was told to want, which feedback"
          + " effects are known, what logged decisions say, and what came of it since its release.",
      "It is kept with the version and written to reports in the data folder. What only people"
          + " know stands in reward-reports/SURFACE.yaml of the data folder, which is made where it"
          + " is missing."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether report reward v0123456789ab",
      "  bellwether report reward champion --surface short-video --print"
    })
final class ReportRewardVerb implements Callable<Integer> {
  private final Installation installation;
  private final Terminal terminal;

  @Mixin private final ReportChoice choice = new ReportChoice();
  @Mixin private final SurfacesOption surfaces = new SurfacesOption();
  @Mixin private final JsonOption json = new JsonOption();

  @Parameters(paramLabel = "VERSION", description = "A version or an alias.")
  private String word = "";

  @Option(
      names = "--log",
      paramLabel = "DIR",
      description =
          "Archive in which to look for what came of it (default: archive in the data folder).")
  private @Nullable Path log;

  @Option(names = "--print", description = "Print it too.")
  private boolean print;

  ReportRewardVerb(Installation installation, Terminal terminal) {
    this.installation = installation;
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws Exception {
    PolicyStore store = choice.store();
    VersionId version = choice.version(word);
    Surface surface = surfaces.named(store.version(version).name(), choice.data(), installation);
    HumanAnswers answers = answers(surface.name());
    RewardReports reports = new RewardReports(store);
    RewardReport report = reports.of(version, surface, answers, live(store, version, surface));
    boolean kept = reports.keep(version, report, System.getProperty("user.name", "unknown"));
    Path folder = Files.createDirectories(choice.data().resolve("reports"));
    Path markdown = folder.resolve(version + "-reward.md");
    Path page = folder.resolve(version + "-reward.html");
    WholeFile.write(markdown, report.markdown());
    WholeFile.write(page, report.page());
    if (print) {
      terminal.print(new String(report.markdown(), UTF_8).stripTrailing());
    }
    terminal.print(markdown.toString());
    terminal.print(page.toString());
    terminal.progress(kept ? "Kept with " + version : "Nothing is new since the one that is kept");
    if (!report.open().isEmpty()) {
      terminal.progress("Warning: " + report.warning());
      terminal.progress("Write them in " + HumanAnswers.file(choice.data(), surface.name()));
    }
    json.write(
        new ObjectMapper()
            .valueToTree(
                Map.of(
                    "version",
                    version.value(),
                    "markdown",
                    markdown.toString(),
                    "page",
                    page.toString(),
                    "kept",
                    kept,
                    "todo",
                    report.open().stream().map(HumanField::key).toList())));
    return ExitCode.DONE;
  }

  /** Makes the file that asks where there is none. */
  private HumanAnswers answers(String surface) throws Exception {
    Path file = HumanAnswers.file(choice.data(), surface);
    if (!Files.exists(file)) {
      Files.createDirectories(file.getParent());
      WholeFile.write(file, HumanAnswers.template().getBytes(UTF_8));
    }
    return RewardAnswers.read(choice.data(), surface);
  }

  /** What came of it; empty where it was never released. */
  private Optional<LiveValues> live(PolicyStore store, VersionId version, Surface surface) {
    Path archive =
        (log == null ? choice.data().resolve("archive") : log).toAbsolutePath().normalize();
    return new VersionHistory(store)
        .released(version)
        .map(since -> LiveValues.of(archive, surface, version.value(), since));
  }
}
