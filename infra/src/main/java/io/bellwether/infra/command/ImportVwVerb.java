package io.bellwether.infra.command;

import io.bellwether.infra.local.Installation;
import io.bellwether.trainer.imports.ImportSource;
import io.bellwether.trainer.imports.LogReader;
import io.bellwether.trainer.imports.vw.DsjsonReader;
import io.bellwether.trainer.imports.vw.ReaderNote;
import io.bellwether.trainer.imports.vw.VwTextReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Imports logs in the formats of Vowpal Wabbit. */
final class ImportVwVerb {

  private ImportVwVerb() {}

  /** Decision service JSON, which Personalizer's log mirror is too. */
  @Command(
      name = "dsjson",
      description = {
        "Import VW's decision service JSON: contextual bandits, conditional ones and slates, one"
            + " object a line, plain or gzipped. Personalizer's log mirror has this format.",
        "No surface yet? `bellwether surfaces propose FILE` writes one from a sample."
      },
      footerHeading = "%nExamples:%n",
      footer = {
        "  bellwether import dsjson events.json.gz --surface home --dry-run",
        "  bellwether import dsjson events.json.gz --surface home --signal reward"
      })
  static final class Dsjson implements Callable<Integer> {
    private final Installation installation;
    private final Terminal terminal;
    private final AtomicReference<@Nullable DsjsonReader> reader = new AtomicReference<>();

    @Mixin private final ImportOptions options = new ImportOptions();
    @Mixin private final RewardOption reward = new RewardOption();

    @Parameters(paramLabel = "FILE", description = "The log.")
    private Path file = Path.of("");

    Dsjson(Installation installation, Terminal terminal) {
      this.installation = installation;
      this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
      String signal = reward.signal(options.surface(installation));
      ImportSource source =
          new ImportSource(options.name(file), List.of(file), signal, false, () -> open(signal));
      int code = options.run("dsjson", source, installation, terminal);
      DsjsonReader read = reader.get();
      for (ReaderNote note : read == null ? List.<ReaderNote>of() : read.notes()) {
        terminal.print(
            String.format(
                Locale.ROOT,
                "  note: %d decisions: %s (first: line %d)",
                note.decisions(),
                note.text(),
                note.first().line()));
      }
      return code;
    }

    private LogReader open(String signal) throws IOException {
      DsjsonReader opened = DsjsonReader.open(file, signal);
      reader.set(opened);
      return opened;
    }
  }

  /** VW's own text. */
  @Command(
      name = "vw-text",
      description = {
        "Import VW's text format for contextual bandits with action-dependent features (cb_adf),"
            + " plain or gzipped.",
        "The format has no times: the first example gets --first, and each next one is --step"
            + " later."
      },
      footerHeading = "%nExamples:%n",
      footer = {
        "  bellwether import vw-text train.vw --surface home --first 2026-01-01T00:00:00Z",
        "  bellwether import vw-text train.vw.gz --surface home --step 1s --dry-run"
      })
  static final class Text implements Callable<Integer> {
    private final Installation installation;
    private final Terminal terminal;

    @Mixin private final ImportOptions options = new ImportOptions();
    @Mixin private final RewardOption reward = new RewardOption();

    @Parameters(paramLabel = "FILE", description = "The log.")
    private Path file = Path.of("");

    @Option(
        names = "--first",
        paramLabel = "TIME",
        defaultValue = "2000-01-01T00:00:00Z",
        description = "Time of the first example (default: ${DEFAULT-VALUE}).")
    private Instant first = Instant.EPOCH;

    @Option(
        names = "--step",
        paramLabel = "TIME",
        defaultValue = "1s",
        description = "From one example to the next (default: ${DEFAULT-VALUE}).")
    private String step = "1s";

    Text(Installation installation, Terminal terminal) {
      this.installation = installation;
      this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
      Duration distance = Age.of("--step", step);
      String signal = reward.signal(options.surface(installation));
      ImportSource source =
          new ImportSource(
              options.name(file),
              List.of(file),
              signal + " " + first + " " + distance,
              false,
              () -> VwTextReader.open(file, signal, first, distance));
      return options.run("vw-text", source, installation, terminal);
    }
  }
}
