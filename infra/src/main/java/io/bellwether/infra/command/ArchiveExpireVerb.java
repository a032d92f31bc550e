package io.bellwether.infra.command;

import io.bellwether.ingestion.archive.ArchiveRetention;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Removes days that are older than they are to be kept. */
@Command(
    name = "expire",
    description = "Remove the days of the archive that are older than a number of days.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether archive expire --older-than 400d --dry-run",
      "  bellwether archive expire --older-than 90d --surface shop"
    })
final class ArchiveExpireVerb implements Callable<Integer> {
  private final Terminal terminal;
  private final Clock clock;

  @Mixin private final ArchiveOption archive = new ArchiveOption();
  @Mixin private final JsonOption json = new JsonOption();

  @Option(
      names = "--older-than",
      paramLabel = "TIME",
      required = true,
      description = "Whole days, such as 400d: what was decided on earlier days goes.")
  private String olderThan = "";

  @Option(names = "--dry-run", description = "Only tell what would go.")
  private boolean dryRun;

  ArchiveExpireVerb(Terminal terminal, Clock clock) {
    this.terminal = terminal;
    this.clock = clock;
  }

  @Override
  public Integer call() throws IOException {
    long days = Age.of("--older-than", olderThan).toDays();
    if (days < 1) {
      throw CommandFailed.wrongInput(
          "--older-than " + olderThan + " is less than a day.", "Give whole days, such as 400d.");
    }
    Path root = archive.root();
    LocalDate before = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC).minusDays(days);
    List<ArchiveRetention.Expired> expired =
        new ArchiveRetention(root, clock).expire(archive.surfaces(root), before, dryRun);
    for (ArchiveRetention.Expired day : expired) {
      terminal.print(
          "%s  %s  %d files, %d bytes %s"
              .formatted(
                  day.surface(),
                  day.day(),
                  day.files(),
                  day.bytes(),
                  day.kept()
                      ? "stay: somebody is writing there"
                      : dryRun ? "would be removed" : "removed"));
    }
    if (expired.isEmpty()) {
      terminal.print("No day is before " + before + ".");
    }
    json.write(
        Map.of(
            "before",
            before.toString(),
            "dryRun",
            dryRun,
            "days",
            expired.stream()
                .map(
                    day ->
                        Map.of(
                            "surface", day.surface(),
                            "day", day.day().toString(),
                            "files", day.files(),
                            "bytes", day.bytes(),
                            "kept", day.kept()))
                .toList()));
    return ExitCode.DONE;
  }
}
