package io.bellwether.infra.command;

import io.bellwether.infra.command.SurfacesOption.Declared;
import io.bellwether.infra.local.Installation;
import io.bellwether.infra.platform.Platform;
import io.bellwether.infra.platform.PlatformAddress;
import io.bellwether.ingestion.archive.TransitionArchive;
import io.bellwether.ingestion.backfill.Backfill;
import io.bellwether.ingestion.backfill.BackfillRequest;
import io.bellwether.ingestion.backfill.SurfaceFolders;
import io.bellwether.ingestion.surface.Surface;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Joins what Kafka still holds once more, into an archive of its own. */
@Command(
    name = "backfill",
    description = {
      "Join decisions and outcomes that Kafka still holds once more, into an archive of its own.",
      "Live traffic goes on: no topic, no consumer group and no Redis is touched."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether backfill --into data/again \\",
      "      --from 2026-11-28T00:00:00Z --to 2026-11-29T00:00:00Z"
    })
final class BackfillVerb implements Callable<Integer> {
  private final Installation installation;
  private final Terminal terminal;

  @Mixin private final DataOption data = new DataOption();
  @Mixin private final SurfacesOption surfaces = new SurfacesOption();
  @Mixin private final JsonOption json = new JsonOption();

  @Option(
      names = "--kafka",
      paramLabel = "HOST:PORT",
      description = "Where Kafka answers (default: the one that runs on the data folder).")
  private @Nullable String kafka;

  @Option(
      names = "--from",
      paramLabel = "TIME",
      required = true,
      description = "Decisions that Kafka got from then on, like 2026-11-28T00:00:00Z.")
  private String from = "";

  @Option(
      names = "--to",
      paramLabel = "TIME",
      required = true,
      description = "And before this; outcomes are read for as long after it as they count.")
  private String to = "";

  @Option(
      names = "--into",
      paramLabel = "DIR",
      required = true,
      description = "A folder that is not there yet.")
  private Path into = Path.of("");

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "2000",
      description = "Events a second at most (default: ${DEFAULT-VALUE}).")
  private int rate;

  BackfillVerb(Installation installation, Terminal terminal) {
    this.installation = installation;
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws Exception {
    if (rate < 1) {
      throw CommandFailed.wrongInput("--rate " + rate + " reads nothing.", "Give at least 1.");
    }
    if (Files.exists(into)) {
      throw CommandFailed.wrongInput(
          into + " is there already.", "Name a folder that is not: a backfill has its own.");
    }
    Instant begin = time("--from", from);
    Instant end = time("--to", to);
    if (!begin.isBefore(end)) {
      throw CommandFailed.wrongInput("--from is not before --to.", "Turn them round.");
    }
    SurfaceFolders declared =
        SurfaceFolders.of(
            surfaces.all(data.folder(), installation).stream().map(Declared::folder).toList());
    terminal.progress("Joining what Kafka got from " + begin + " to " + end + " into " + into);
    Backfill.run(
        new BackfillRequest(kafka == null ? running() : kafka, declared, begin, end, into, rate));
    Map<String, Long> rows = rows(declared.get());
    rows.forEach((surface, count) -> terminal.print(surface + ": " + count + " transitions"));
    json.write(rows);
    return ExitCode.DONE;
  }

  private Map<String, Long> rows(List<Surface> declared) throws IOException {
    Map<String, Long> rows = new TreeMap<>();
    for (Surface surface : declared) {
      long count = 0;
      if (Files.exists(into)) {
        try (TransitionArchive.Transitions transitions =
            new TransitionArchive(into).read(surface.name())) {
          while (transitions.hasNext()) {
            transitions.next();
            count++;
          }
        }
      }
      rows.put(surface.name(), count);
    }
    return rows;
  }

  private String running() throws CommandFailed {
    try {
      return PlatformAddress.read(Platform.addressFile(data.folder())).kafka();
    } catch (IOException e) {
      throw CommandFailed.wrongInput(
          "No platform runs on " + data.folder() + ".", "Start one, or give --kafka HOST:PORT.");
    }
  }

  private static Instant time(String option, String text) throws CommandFailed {
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      throw CommandFailed.wrongInput(
          option + " '" + text + "' is no time.", "Write it like 2026-11-28T00:00:00Z.");
    }
  }
}
