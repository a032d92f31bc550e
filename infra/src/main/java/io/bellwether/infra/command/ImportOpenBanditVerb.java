package io.bellwether.infra.command;

import io.bellwether.infra.local.Installation;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.trainer.imports.ImportReport;
import io.bellwether.trainer.imports.OpenBanditImport;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Imports every log of a folder of the Open Bandit Dataset, each to an archive of its own. */
@Command(
    name = "open-bandit",
    description = {
      "Import the logs of the Open Bandit Dataset: DIR/{bts,random}/{all,men,women}, plain or"
          + " gzipped, as many as are there.",
      "Each becomes an archive of its own in imports/open-bandit of the data folder, in place of an"
          + " earlier import. Lines that cannot be read are listed in its rejects.tsv."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether import open-bandit obd/",
      "  bellwether import open-bandit obd/ --dry-run",
      "  bellwether import open-bandit obd/ --data /srv/bellwether --json out.json"
    })
final class ImportOpenBanditVerb implements Callable<Integer> {
  private static final String SURFACE = "open-bandit";

  private final Installation installation;
  private final Terminal terminal;

  @Mixin private final DataOption data = new DataOption();
  @Mixin private final SurfacesOption surfaces = new SurfacesOption();
  @Mixin private final JsonOption json = new JsonOption();

  @Option(
      names = "--dry-run",
      description = "Read and check everything, say what would be rejected and why, write nothing.")
  private boolean dryRun;

  @Parameters(paramLabel = "DIR", description = "Folder that holds bts/ and random/.")
  private Path folder = Path.of("");

  ImportOpenBanditVerb(Installation installation, Terminal terminal) {
    this.installation = installation;
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws Exception {
    Surface surface = surfaces.named(SURFACE, data.folder(), installation);
    Path target = data.folder().resolve("imports").resolve("open-bandit");
    OpenBanditImport imports = new OpenBanditImport(surface, terminal::progress);
    ImportReport report = dryRun ? imports.dryRun(folder) : imports.run(folder, target);
    report.logs().forEach(this::print);
    terminal.print(
        report.rows()
            + " transitions, "
            + report.rejected()
            + " lines rejected"
            + (dryRun ? " (dry run)" : ""));
    if (!dryRun) {
      terminal.print("Train on one with: bellwether train --surface open-bandit --log FOLDER");
    }
    json.write(Imported.of(report, dryRun));
    return ExitCode.DONE;
  }

  private void print(ImportReport.Log log) {
    terminal.print(dryRun ? log.name() : log.name() + "  " + log.folder());
    terminal.print(
        String.format(
            Locale.ROOT,
            "  %d transitions, %d clicks, %d items, %s to %s",
            log.rows(),
            log.outcomes(),
            log.items(),
            log.first(),
            log.last()));
    terminal.print(
        String.format(
            Locale.ROOT,
            "  smallest propensity %s; mean of 1/p %.4f, expected about %d",
            log.minPropensity(),
            log.meanInversePropensity(),
            log.items()));
    if (log.rejected() > 0) {
      String see = dryRun ? "" : log.rejects().map(file -> ", see " + file).orElse("");
      terminal.print("  " + log.rejected() + " lines rejected" + see);
    }
  }

  /** The result for scripts. */
  private record Imported(boolean dryRun, long rows, long rejected, List<Log> logs) {

    record Log(
        String name,
        @Nullable String folder,
        long rows,
        long rejected,
        @Nullable String rejects,
        int items,
        long outcomes,
        double minPropensity,
        double meanInversePropensity,
        String first,
        String last) {

      static Log of(ImportReport.Log log, boolean dryRun) {
        return new Log(
            log.name(),
            dryRun ? null : log.folder().toString(),
            log.rows(),
            log.rejected(),
            dryRun ? null : log.rejects().map(Path::toString).orElse(null),
            log.items(),
            log.outcomes(),
            log.minPropensity(),
            log.meanInversePropensity(),
            log.first().toString(),
            log.last().toString());
      }
    }

    static Imported of(ImportReport report, boolean dryRun) {
      return new Imported(
          dryRun,
          report.rows(),
          report.rejected(),
          report.logs().stream().map(log -> Log.of(log, dryRun)).toList());
    }
  }
}
