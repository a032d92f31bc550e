package io.bellwether.infra.command;

import io.bellwether.infra.local.Installation;
import io.bellwether.ingestion.archive.Declarations;
import io.bellwether.ingestion.surface.InvalidSurfaceException;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.ingestion.surface.SurfaceReader;
import io.bellwether.trainer.imports.ImportSource;
import io.bellwether.trainer.imports.ImportSummary;
import io.bellwether.trainer.imports.LogImport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What every import asks for, and how it is run and told. */
final class ImportOptions {

  private static final int MOST_LINES = 10;

  @Option(
      names = "--surface",
      paramLabel = "NAME",
      required = true,
      description = "The surface whose declaration the decisions are encoded by.")
  private String surface = "";

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "What the import is called (default: the file's or the kind's name).")
  private @Nullable String name;

  @Option(
      names = "--dry-run",
      description = "Read and check everything, say what would be rejected and why, write nothing.")
  private boolean dryRun;

  @Option(
      names = "--estimate-propensities",
      description =
          "Where the log has no propensities, estimate them from how often each item was shown."
              + " They are marked ESTIMATED everywhere.")
  private boolean estimate;

  @Mixin private final DataOption data = new DataOption();
  @Mixin private final SurfacesOption surfaces = new SurfacesOption();
  @Mixin private final JsonOption json = new JsonOption();

  /** The surface that was named. */
  Surface surface(Installation installation) throws IOException, InvalidSurfaceException {
    return surfaces.named(surface, data.folder(), installation);
  }

  /** The name that was given, or one that is made of a file's. */
  String name(Path file) {
    if (name != null) {
      return name;
    }
    String fileName = String.valueOf(file.toAbsolutePath().normalize().getFileName());
    String made =
        fileName
            .replaceFirst("\\.gz$", "")
            .replaceFirst("\\.[A-Za-z]+$", "")
            .replaceAll("[^A-Za-z0-9-]+", "-")
            .replaceAll("^-+|-+$", "");
    return made.isEmpty() ? "log" : made;
  }

  /** The name that was given, or this one. */
  String nameOr(String otherwise) {
    return name == null ? otherwise : name;
  }

  /** Imports a log, or tries it out, and tells what came of it. */
  int run(String kind, ImportSource source, Installation installation, Terminal terminal)
      throws IOException, InvalidSurfaceException {
    Path into = data.folder().resolve("imports").resolve(kind);
    ImportSummary summary =
        new LogImport(
                surface(installation), new LogImport.Options(dryRun, estimate), terminal::progress)
            .run(source, into);
    if (summary.folder().isPresent()) {
      keepDeclaration(summary.folder().get(), installation);
    }
    print(summary, terminal);
    json.write(new ImportJson(summary));
    return ExitCode.DONE;
  }

  /** Beside the rows, so that they stay readable when the surface changes. */
  private void keepDeclaration(Path archive, Installation installation)
      throws IOException, InvalidSurfaceException {
    for (SurfacesOption.Declared declared : surfaces.all(data.folder(), installation)) {
      if (declared.surface().name().equals(surface)) {
        keep(declared, new Declarations(archive));
      }
    }
  }

  private static void keep(SurfacesOption.Declared declared, Declarations declarations)
      throws IOException, InvalidSurfaceException {
    List<Path> files;
    try (Stream<Path> all = Files.list(declared.folder())) {
      files = all.filter(file -> file.toString().matches(".*\\.ya?ml")).sorted().toList();
    }
    for (Path file : files) {
      byte[] yaml = Files.readAllBytes(file);
      String digest = new SurfaceReader().parse(file.toString(), yaml).digest();
      if (digest.equals(declared.surface().digest())) {
        declarations.putInForce(declared.surface().name(), yaml);
      }
    }
  }

  private void print(ImportSummary summary, Terminal terminal) {
    ImportSummary.Decisions decisions = summary.decisions();
    terminal.print(
        summary.name() + summary.folder().map(folder -> "  " + folder).orElse("  (dry run)"));
    terminal.print(
        String.format(
            Locale.ROOT,
            "  %d entries: %d decisions, %d rejected, %d with an earlier one's id",
            summary.entries(),
            summary.folder().isPresent()
                ? decisions.count()
                : decisions.count() - summary.duplicates(),
            summary.rejected(),
            summary.duplicates()));
    if (decisions.count() > 0) {
      terminal.print(
          String.format(
              Locale.ROOT,
              "  %s to %s%s, %d outcomes, %d outside their windows",
              decisions.first(),
              decisions.last(),
              decisions.sessions() > 0 ? ", " + decisions.sessions() + " sessions" : "",
              decisions.outcomes(),
              decisions.outsideWindow()));
    }
    counts(terminal, "rejected", summary.reasons());
    summary.examples().forEach(each -> terminal.print("    for instance " + each));
    counts(terminal, "reactions left out", summary.reactionsLeftOut());
    counts(terminal, "features that the surface does not declare", summary.unknownFeatures());
    if (!summary.missingFeatures().isEmpty()) {
      terminal.print(
          "  declared, and in no decision: " + String.join(", ", summary.missingFeatures()));
    }
    propensities(summary, terminal);
    summary.rejects().ifPresent(file -> terminal.print("  what was left out stands in " + file));
    summary
        .folder()
        .ifPresent(
            folder ->
                terminal.print(
                    "Train on it with: bellwether train --surface "
                        + surface
                        + " --log "
                        + folder
                        + (onlyToImitate(summary) ? " --algorithm bc" : "")));
  }

  /** Whether nothing but imitation can learn from it. */
  private static boolean onlyToImitate(ImportSummary summary) {
    return summary.decisions().kinds().keySet().equals(Set.of("NONE"));
  }

  private static void propensities(ImportSummary summary, Terminal terminal) {
    ImportSummary.Propensities propensities = summary.propensities();
    terminal.print(
        "  propensities: "
            + summary.decisions().kinds().entrySet().stream()
                .map(each -> each.getValue() + " " + each.getKey())
                .collect(Collectors.joining(", ")));
    if (propensities.decisions() > 0) {
      terminal.print(
          String.format(
              Locale.ROOT,
              "  smallest %s, %d of at most 1e-6; mean of 1/p %.4f (+-%.4f), candidates %.4f",
              propensities.min(),
              propensities.tiny(),
              propensities.meanInverse(),
              propensities.standardError(),
              propensities.meanCandidates()));
    }
    if (propensities.notPositive() + propensities.aboveOne() > 0) {
      terminal.print(
          String.format(
              Locale.ROOT,
              "  rejected for propensities of 0 or less: %d, above 1: %d",
              propensities.notPositive(),
              propensities.aboveOne()));
    }
    propensities.doubt().ifPresent(doubt -> terminal.print("  WARNING: " + doubt));
    if (summary.decisions().kinds().containsKey("NONE")) {
      terminal.print(
          "  Decisions without propensities can be imitated and simulated, not evaluated with.");
    }
  }

  private static void counts(Terminal terminal, String what, Map<String, Long> counts) {
    if (counts.isEmpty()) {
      return;
    }
    terminal.print("  " + what + ":");
    counts.entrySet().stream()
        .limit(MOST_LINES)
        .forEach(each -> terminal.print("    " + each.getValue() + "  " + each.getKey()));
    if (counts.size() > MOST_LINES) {
      terminal.print("    and " + (counts.size() - MOST_LINES) + " others");
    }
  }

  /** The result for scripts. */
  private record ImportJson(
      String name,
      @Nullable String folder,
      boolean dryRun,
      @Nullable String rejects,
      long entries,
      long decisions,
      long rejected,
      long duplicates,
      Map<String, Long> reasons,
      List<String> examples,
      Map<String, Long> reactionsLeftOut,
      Map<String, Long> unknownFeatures,
      List<String> missingFeatures,
      long sessions,
      long outcomes,
      long outsideWindow,
      Map<String, Long> signals,
      @Nullable String first,
      @Nullable String last,
      PropensityJson propensities) {

    ImportJson(ImportSummary summary) {
      this(
          summary.name(),
          summary.folder().map(Path::toString).orElse(null),
          summary.folder().isEmpty(),
          summary.rejects().map(Path::toString).orElse(null),
          summary.entries(),
          summary.folder().isPresent()
              ? summary.decisions().count()
              : summary.decisions().count() - summary.duplicates(),
          summary.rejected(),
          summary.duplicates(),
          summary.reasons(),
          summary.examples(),
          summary.reactionsLeftOut(),
          summary.unknownFeatures(),
          summary.missingFeatures(),
          summary.decisions().sessions(),
          summary.decisions().outcomes(),
          summary.decisions().outsideWindow(),
          summary.decisions().signals(),
          summary.decisions().count() == 0 ? null : summary.decisions().first().toString(),
          summary.decisions().count() == 0 ? null : summary.decisions().last().toString(),
          new PropensityJson(summary));
    }
  }

  private record PropensityJson(
      Map<String, Long> kinds,
      double min,
      long tiny,
      long notPositive,
      long aboveOne,
      double meanInverse,
      double standardError,
      double meanCandidates,
      @Nullable String doubt) {

    PropensityJson(ImportSummary summary) {
      this(
          summary.decisions().kinds(),
          summary.propensities().min(),
          summary.propensities().tiny(),
          summary.propensities().notPositive(),
          summary.propensities().aboveOne(),
          summary.propensities().meanInverse(),
          summary.propensities().standardError(),
          summary.propensities().meanCandidates(),
          summary.propensities().doubt().orElse(null));
    }
  }
}
