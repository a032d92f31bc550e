package io.bellwether.infra.command;

import io.bellwether.ingestion.archive.ArchiveCompaction;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Makes one sorted file of each day's files. */
@Command(
    name = "compact",
    description = {
      "Make one sorted file of each day's files, with the newest transition of each decision.",
      "The running system goes on writing, and readers go on reading: files that were replaced stay"
          + " for a while."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether archive compact",
      "  bellwether archive compact --surface shop --min-files 10"
    })
final class ArchiveCompactVerb implements Callable<Integer> {
  private final Terminal terminal;
  private final Clock clock;

  @Mixin private final ArchiveOption archive = new ArchiveOption();
  @Mixin private final JsonOption json = new JsonOption();

  @Option(
      names = "--min-files",
      paramLabel = "N",
      defaultValue = "1",
      description = "Leave days with fewer files as they are (default: ${DEFAULT-VALUE}).")
  private int minFiles;

  @Option(
      names = "--keep-replaced",
      paramLabel = "TIME",
      defaultValue = "24h",
      description =
          "How long files stay that were replaced, for those who are reading them, such as 2h"
              + " (default: ${DEFAULT-VALUE}).")
  private String keepReplaced = "24h";

  ArchiveCompactVerb(Terminal terminal, Clock clock) {
    this.terminal = terminal;
    this.clock = clock;
  }

  @Override
  public Integer call() throws IOException {
    Path root = archive.root();
    Duration grace = Age.of("--keep-replaced", keepReplaced);
    List<ArchiveCompaction.Compacted> days =
        new ArchiveCompaction(root, grace, clock)
            .compact(
                archive.surfaces(root),
                Amount.atLeast(1, minFiles, "--min-files"),
                day -> terminal.print(line(day)));
    if (days.isEmpty()) {
      terminal.print("Everything is compacted.");
    }
    json.write(
        Map.of(
            "days",
            days.stream()
                .map(
                    day ->
                        Map.of(
                            "surface", day.surface(),
                            "day", day.day().toString(),
                            "files", day.files(),
                            "rowsBefore", day.rowsBefore(),
                            "rows", day.rows(),
                            "removed", day.removed()))
                .toList()));
    return ExitCode.DONE;
  }

  private static String line(ArchiveCompaction.Compacted day) {
    return day.surface()
        + "  "
        + day.day()
        + (day.files() == 0
            ? ""
            : "  %s with %d rows became one with %d"
                .formatted(
                    day.files() == 1 ? "1 file" : day.files() + " files",
                    day.rowsBefore(),
                    day.rows()))
        + (day.removed() == 0 ? "" : "  " + day.removed() + " replaced files removed");
  }
}
