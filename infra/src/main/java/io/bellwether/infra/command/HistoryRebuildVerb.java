package io.bellwether.infra.command;

import io.bellwether.infra.local.Installation;
import io.bellwether.infra.platform.Platform;
import io.bellwether.infra.platform.PlatformAddress;
import io.bellwether.ingestion.recall.HistoryRebuild;
import io.bellwether.ingestion.recall.HistoryStore;
import io.bellwether.ingestion.surface.Surface;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Fills Redis with the histories that the archive knows. */
@Command(
    name = "rebuild",
    description = {
      "Write the histories of a surface's subjects to Redis, from the archive.",
      "Live traffic goes on: a history that is newer stays. A run that was cut off is continued."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether history rebuild --surface feed",
      "  bellwether history rebuild --surface feed --redis redis://10.0.0.7:6379 --rate 500"
    })
final class HistoryRebuildVerb implements Callable<Integer> {
  private final Installation installation;
  private final Terminal terminal;
  private final Clock clock;

  @Mixin private final HistoryOptions options = new HistoryOptions();
  @Mixin private final JsonOption json = new JsonOption();

  @Option(
      names = "--redis",
      paramLabel = "URI",
      description = "Where Redis answers (default: the one that runs on the data folder).")
  private @Nullable String redis;

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "2000",
      description = "Histories a second at most (default: ${DEFAULT-VALUE}).")
  private int rate;

  HistoryRebuildVerb(Installation installation, Terminal terminal, Clock clock) {
    this.installation = installation;
    this.terminal = terminal;
    this.clock = clock;
  }

  @Override
  public Integer call() throws Exception {
    if (rate < 1) {
      throw CommandFailed.wrongInput("--rate " + rate + " writes nothing.", "Give at least 1.");
    }
    Path archive = options.archive();
    Surface surface = options.surface(installation);
    Path progress = options.data().resolve("history-rebuild").resolve(surface.name());
    terminal.progress("Rebuilding the histories of " + surface.name() + " from " + archive);
    HistoryRebuild.Rebuilt rebuilt;
    try (HistoryStore store = new HistoryStore(redis == null ? running() : redis)) {
      rebuilt =
          new HistoryRebuild(
                  surface,
                  new HistoryRebuild.Settings(archive, progress, options.ttl(), rate),
                  clock)
              .run(store);
    }
    if (rebuilt.resumedAt() > 0) {
      terminal.print(
          "Continued after part %d of %d.".formatted(rebuilt.resumedAt(), rebuilt.shares()));
    }
    terminal.print(
        "%s: %d histories written, of %d subjects; the others are as new in Redis"
            .formatted(surface.name(), rebuilt.written(), rebuilt.subjects()));
    json.write(
        Map.of(
            "surface", surface.name(),
            "parts", rebuilt.shares(),
            "resumedAt", rebuilt.resumedAt(),
            "subjects", rebuilt.subjects(),
            "written", rebuilt.written()));
    return ExitCode.DONE;
  }

  private String running() {
    try {
      return PlatformAddress.read(Platform.addressFile(options.data())).redis();
    } catch (IOException e) {
      throw CommandFailed.wrongInput(
          "No platform runs on " + options.data() + ".",
          "Start one, or give --redis redis://HOST:PORT.");
    }
  }
}
