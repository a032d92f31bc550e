package io.bellwether.infra.command;

import io.bellwether.infra.local.Installation;
import io.bellwether.ingestion.archive.TransitionArchive;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.trainer.exports.ArchiveExport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Exports an archive in one format. */
@Command
final class ExportFormatVerb implements Callable<Integer> {
  private final Installation installation;
  private final Terminal terminal;
  private final ArchiveExport.Format format;

  @Mixin private final DataOption data = new DataOption();
  @Mixin private final SurfacesOption surfaces = new SurfacesOption();
  @Mixin private final JsonOption json = new JsonOption();

  @Parameters(paramLabel = "FILE", description = "What is written; an earlier one is replaced.")
  private Path file = Path.of("");

  @Option(
      names = "--surface",
      paramLabel = "NAME",
      required = true,
      description = "Whose decisions.")
  private String surface = "";

  @Option(
      names = "--log",
      paramLabel = "DIR",
      description = "The archive (default: archive in the data folder).")
  private @Nullable Path log;

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description = "Decisions from this day or time on (default: the first).")
  private @Nullable String from;

  @Option(
      names = "--to",
      paramLabel = "TIME",
      description = "Decisions up to the end of this day, or before this time (default: the last).")
  private @Nullable String to;

  private ExportFormatVerb(
      Installation installation, Terminal terminal, ArchiveExport.Format format) {
    this.installation = installation;
    this.terminal = terminal;
    this.format = format;
  }

  /** The verb of one format. */
  static CommandLine of(Installation installation, Terminal terminal, ArchiveExport.Format format) {
    CommandLine verb = new CommandLine(new ExportFormatVerb(installation, terminal, format));
    String name = format.name().toLowerCase(Locale.ROOT);
    verb.getCommandSpec().name(name);
    verb.getCommandSpec().usageMessage().description(description(format));
    verb.getCommandSpec().usageMessage().footerHeading("%nExamples:%n");
    verb.getCommandSpec()
        .usageMessage()
        .footer(
            "  bellwether export " + name + " out." + name + " --surface home-feed",
            "  bellwether export "
                + name
                + " out."
                + name
                + " --surface home-feed --from 2026-11-01 --to 2026-11-30");
    return verb;
  }

  private static String description(ArchiveExport.Format format) {
    return switch (format) {
      case DSJSON ->
          "Write decisions as VW's decision service JSON, gzipped where FILE ends with .gz. The"
              + " reward is the surface's objective.";
      case JSONL ->
          "Write decisions as JSON lines with all candidates, gzipped where FILE ends with .gz, and"
              + " beside them a mapping by which they can be imported again.";
      case PARQUET ->
          "Write decisions as a flat Parquet table, one row per shown item, for notebooks and SQL.";
    };
  }

  @Override
  public Integer call() throws Exception {
    Surface declared = surfaces.named(surface, data.folder(), installation);
    Path archive = log == null ? data.folder().resolve("archive") : log;
    if (!Files.isDirectory(archive) || new TransitionArchive(archive).files(surface).isEmpty()) {
      throw CommandFailed.wrongInput(
          "There is no decision of surface " + surface + " in " + archive + ".",
          "Name the archive with --log.");
    }
    Path folder = file.toAbsolutePath().getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      throw CommandFailed.wrongInput(
          "There is no folder " + folder + " to write " + file.getFileName() + " into.",
          "Name a file in a folder that exists.");
    }
    Instant first = from == null ? Instant.MIN : LogRange.start("--from", from);
    Instant end = to == null ? Instant.MAX : LogRange.end("--to", to);
    ArchiveExport.Exported exported =
        new ArchiveExport(declared, format, terminal::progress).run(archive, first, end, file);
    terminal.print(exported.decisions() + " decisions in " + exported.file());
    if (exported.leftOut() > 0) {
      terminal.print(exported.leftOut() + " left out, which " + format + " cannot say:");
      exported.examples().forEach(each -> terminal.print("  for instance " + each));
    }
    exported
        .mapping()
        .ifPresent(mapping -> terminal.print("Import it again with --mapping " + mapping));
    json.write(
        new ExportJson(
            exported.file().toString(),
            exported.decisions(),
            exported.leftOut(),
            exported.examples(),
            exported.mapping().map(Path::toString).orElse(null)));
    return ExitCode.DONE;
  }

  /** The result for scripts. */
  private record ExportJson(
      String file, long decisions, long leftOut, List<String> examples, @Nullable String mapping) {}
}
