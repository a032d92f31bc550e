package io.bellwether.infra.command;

import io.bellwether.ingestion.archive.ArchiveStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Tells what an archive holds, day by day. */
@Command(
    name = "status",
    description = {
      "Show what the archive holds of each surface and day.",
      "Rows are transitions with all their restatements, until a day is compacted."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether archive status",
      "  bellwether archive status --log data/imports/obd --json status.json"
    })
final class ArchiveStatusVerb implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final ArchiveOption archive = new ArchiveOption();
  @Mixin private final JsonOption json = new JsonOption();

  ArchiveStatusVerb(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    Path root = archive.root();
    List<Day> days = ArchiveStatus.of(root, archive.surfaces(root)).stream().map(Day::of).toList();
    for (Day day : days) {
      terminal.print(
          "%s  %s  %d rows, %d bytes in %d %s%s"
              .formatted(
                  day.surface(),
                  day.day(),
                  day.rows(),
                  day.bytes(),
                  day.files(),
                  day.files() == 1 ? "file" : "files",
                  day.remarks()));
    }
    if (days.isEmpty()) {
      terminal.print("The archive in " + root + " holds nothing.");
    }
    json.write(Map.of("archive", root.toString(), "days", days));
    return ExitCode.DONE;
  }

  /** A day for scripts. */
  private record Day(
      String surface,
      String day,
      int files,
      long rows,
      long bytes,
      int unlisted,
      int inProgress,
      int replaced,
      boolean compacted,
      List<String> schemas) {

    static Day of(ArchiveStatus status) {
      return new Day(
          status.surface(),
          status.day().toString(),
          status.files(),
          status.rows(),
          status.bytes(),
          status.unlisted(),
          status.inProgress(),
          status.replaced(),
          status.compacted(),
          status.schemas());
    }

    String remarks() {
      return (compacted ? ", compacted" : "")
          + (unlisted > 0 ? ", " + unlisted + " not listed yet" : "")
          + (inProgress > 0 ? ", " + inProgress + " being written" : "")
          + (replaced > 0 ? ", " + replaced + " replaced" : "");
    }
  }
}
