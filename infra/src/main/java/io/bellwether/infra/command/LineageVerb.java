package io.bellwether.infra.command;

import io.bellwether.ingestion.archive.TransitionArchive;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import io.bellwether.trainer.lineage.ArchiveTrace;
import io.bellwether.trainer.lineage.Lineage;
import io.bellwether.trainer.lineage.VersionLineage;
import io.bellwether.trainer.recipe.Recipe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Follows the record of versions both ways. */
@Command(
    name = "lineage",
    description = {
      "Say where a version came from (data with its hashes, surface, code, settings, parents) and"
          + " what came of it (verdicts, releases, experiments, decisions, versions trained on"
          + " these).",
      "The other way: the versions that were trained on some data, or that an experiment showed."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether lineage v0123456789ab",
      "  bellwether lineage v0123456789ab --no-decisions      without reading the archive",
      "  bellwether lineage champion --surface short-video --json lineage.json",
      "  bellwether lineage --of-data 2026-11-30              or a file, or a SHA-256",
      "  bellwether lineage --of-experiment calmer-feed"
    })
final class LineageVerb implements Callable<Integer> {
  private static final int FILES = 10;

  private final Terminal terminal;

  @Mixin private final DataOption data = new DataOption();
  @Mixin private final StoreOption store = new StoreOption();
  @Mixin private final JsonOption json = new JsonOption();

  @Parameters(paramLabel = "VERSION", arity = "0..1", description = "A version, or an alias.")
  private @Nullable String version;

  @Option(
      names = "--surface",
      paramLabel = "NAME",
      description = "The surface, where an alias is named.")
  private @Nullable String surface;

  @Option(
      names = "--of-data",
      paramLabel = "WORD",
      description =
          "Versions trained on this: a SHA-256 of rows or of a file (eight digits are enough), the"
              + " path of a file, or a day.")
  private @Nullable String ofData;

  @Option(
      names = "--of-experiment",
      paramLabel = "NAME",
      description = "Versions that this experiment showed.")
  private @Nullable String ofExperiment;

  @Option(
      names = "--log",
      paramLabel = "DIR",
      description = "Archive in which to look for decisions (default: archive in the data folder).")
  private @Nullable Path log;

  @Option(names = "--no-decisions", description = "Do not look for decisions in an archive.")
  private boolean noDecisions;

  LineageVerb(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    long asked =
        List.of(version != null, ofData != null, ofExperiment != null).stream()
            .filter(each -> each)
            .count();
    if (asked != 1) {
      throw CommandFailed.wrongInput(
          "Lineage is of one thing: a version, some data or an experiment.",
          "Name a version, or give --of-data or --of-experiment.");
    }
    PolicyStore versions = store.open(data.folder(), Clock.systemUTC());
    Lineage lineage = new Lineage(versions, store.depot(data.folder()));
    if (ofData != null) {
      return ofData(lineage, ofData);
    }
    if (ofExperiment != null) {
      return ofExperiment(lineage, versions, ofExperiment);
    }
    VersionId id = new NamedPolicies(versions, surface).version(String.valueOf(version), "VERSION");
    VersionLineage found = lineage.of(id, trace(versions.version(id).name()));
    print(found);
    json.write(found);
    return ExitCode.DONE;
  }

  private Integer ofData(Lineage lineage, String word) {
    List<Lineage.Use> uses = lineage.trainedOn(word);
    uses.forEach(
        use ->
            terminal.print(
                "%s of %s  %s, sha256 %s"
                    .formatted(use.version(), use.policy(), use.what(), use.sha256())));
    if (uses.isEmpty()) {
      terminal.print("No version says that it was trained on " + word + ".");
    }
    json.write(Map.of("data", word, "uses", uses));
    return uses.isEmpty() ? ExitCode.NO : ExitCode.DONE;
  }

  private Integer ofExperiment(Lineage lineage, PolicyStore versions, String name)
      throws IOException {
    if (!lineage.experiments().contains(name)) {
      throw CommandFailed.wrongInput(
          "There is no experiment " + name + " in " + store.address(data.folder()) + ".",
          lineage.experiments().isEmpty()
              ? "There is none at all."
              : "There are: " + String.join(", ", lineage.experiments()) + ".");
    }
    List<ArchiveTrace> traces = new ArrayList<>();
    for (String policy : versions.names()) {
      trace(policy).ifPresent(traces::add);
    }
    List<Lineage.Shown> shown = lineage.experiment(name, traces);
    shown.forEach(
        each ->
            terminal.print(
                "%s = %s from %s, %d decisions"
                    .formatted(each.variant(), each.version(), each.from(), each.decisions())));
    if (shown.isEmpty()) {
      terminal.print("Experiment " + name + " has pinned no version.");
    }
    json.write(Map.of("experiment", name, "variants", shown));
    return ExitCode.DONE;
  }

  private Optional<ArchiveTrace> trace(String policy) throws IOException {
    Path root = (log == null ? data.folder().resolve("archive") : log).toAbsolutePath().normalize();
    if (noDecisions || !Files.isDirectory(root)) {
      return Optional.empty();
    }
    if (new TransitionArchive(root).surfaces().contains(policy)) {
      terminal.progress("Looking for decisions in " + root);
    }
    return Optional.of(ArchiveTrace.of(root, policy));
  }

  private void print(VersionLineage found) {
    terminal.print(
        "%s, number %d of %s, %s"
            .formatted(found.version(), found.sequence(), found.policy(), found.state()));
    terminal.print("came from");
    came(found);
    terminal.print("led to");
    led(found);
  }

  private void came(VersionLineage found) {
    VersionLineage.Data rows = found.data();
    line("data", rows.source());
    if (rows.rows() > 0) {
      line("", "%d decisions, %s to %s".formatted(rows.rows(), rows.from(), rows.to()));
      line("", "rows sha256 " + rows.sha256());
    }
    rows.files().stream()
        .limit(FILES)
        .forEach(
            file ->
                line(
                    "",
                    "%s, %d rows, sha256 %s".formatted(file.path(), file.rows(), file.sha256())));
    if (rows.files().size() > FILES) {
      line("", "and %d files more".formatted(rows.files().size() - FILES));
    }
    SortedMap<String, Long> madeBy = rows.madeBy();
    if (madeBy != null && !madeBy.isEmpty()) {
      line("", "made by " + counts(madeBy));
    }
    line(
        "surface",
        "sha256 %s%s"
            .formatted(
                found.surface().sha256(),
                found.surface().kept() ? ", kept as " + Recipe.SURFACE : ""));
    VersionLineage.Settings settings = found.settings();
    line(
        "settings",
        "%s, seed %d%s%s%s%s"
            .formatted(
                settings.algorithm(),
                settings.seed(),
                settings.epochs() == null ? "" : ", epochs " + settings.epochs(),
                settings.batchSize() == null ? "" : ", batches of " + settings.batchSize(),
                settings.heldOutShare() == null ? "" : ", held out " + settings.heldOutShare(),
                settings.asOf() == null ? "" : ", as of " + settings.asOf()));
    line(
        "code",
        found.code().version()
            + (found.code().sha256() == null ? "" : ", sha256 " + found.code().sha256()));
    line("created", found.createdAt() + " by " + found.createdBy());
    line("parents", words(found.ancestors()));
  }

  private void led(VersionLineage found) {
    found
        .evidence()
        .forEach(
            each ->
                line(
                    each.kind(),
                    "%s%s by %s"
                        .formatted(
                            each.at(),
                            each.verdict() == null ? "" : ", " + each.verdict(),
                            each.who())));
    found
        .releases()
        .forEach(
            each ->
                line(
                    each.alias(),
                    "%s by %s%s: %s"
                        .formatted(
                            each.at(), each.who(), each.rollback() ? ", back" : "", each.why())));
    found
        .experiments()
        .forEach(
            each ->
                line(
                    "experiment",
                    "%s as %s from %s, now %s"
                        .formatted(each.experiment(), each.variant(), each.from(), each.status())));
    VersionLineage.Decisions made = found.made();
    if (made != null) {
      line(
          "decisions",
          made.decisions() == 0
              ? "none in " + made.archive()
              : "%d, %s to %s".formatted(made.decisions(), made.from(), made.to()));
      if (!made.variants().isEmpty()) {
        line("", "as " + counts(made.variants()));
      }
    }
    SortedMap<String, Long> taught = found.taught();
    if (taught != null && !taught.isEmpty()) {
      line("taught", counts(taught));
    }
    line("children", words(found.children()));
    if (!found.sameData().isEmpty()) {
      line("same data", words(found.sameData()));
    }
  }

  private void line(String what, String text) {
    terminal.print("  %-12s%s".formatted(what, text));
  }

  private static String words(List<String> ids) {
    return ids.isEmpty() ? "none" : String.join(", ", ids);
  }

  private static String counts(SortedMap<String, Long> counts) {
    return counts.entrySet().stream()
        .map(each -> each.getKey() + " (" + each.getValue() + ")")
        .collect(Collectors.joining(", "));
  }
}
