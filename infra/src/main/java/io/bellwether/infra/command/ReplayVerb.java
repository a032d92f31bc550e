package io.bellwether.infra.command;

import io.bellwether.policy.version.PolicyStore;
import io.bellwether.trainer.data.TransitionSource;
import io.bellwether.trainer.replay.Replay;
import io.bellwether.trainer.replay.ReplayResult;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Draws logged decisions again, and says whether they come out as they were. */
@Command(
    name = "replay",
    description = {
      "Draw every logged decision again: slate and propensities from its logged scores and seed,"
          + " scores from its logged features and policy version.",
      "Exits 1 when anything differs."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether replay                               all that was logged here",
      "  bellwether replay --surface short-video --json out.json",
      "  bellwether replay --kafka 127.0.0.1:9092"
    })
final class ReplayVerb implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final DataOption data = new DataOption();
  @Mixin private final StoreOption store = new StoreOption();
  @Mixin private final LogOption log = new LogOption();
  @Mixin private final JsonOption json = new JsonOption();

  @Option(
      names = "--surface",
      paramLabel = "NAME",
      description = "Only decisions of this surface (default: all).")
  private @Nullable String surface;

  ReplayVerb(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    String only = surface;
    List<TransitionSource> sources =
        only == null ? log.ofAll(data.folder()) : List.of(log.of(only, data.folder()));
    PolicyStore versions = store.open(data.folder(), Clock.systemUTC());
    ReplayResult result;
    try (Replay replay = Replay.with(versions)) {
      for (TransitionSource source : sources) {
        terminal.progress("Drawing again: " + source.words());
        source.forEach(
            transition -> {
              if (only == null || transition.getDecision().getSurface().equals(only)) {
                replay.add(transition);
              }
            });
      }
      result = replay.result();
    }
    print(result);
    json.write(result);
    return result.agrees() ? ExitCode.DONE : ExitCode.NO;
  }

  private void print(ReplayResult result) {
    terminal.print(
        "slates    %d of %d decisions come out as logged"
            .formatted(result.equal(), result.checked()));
    terminal.print(
        "scores    %d of %d decisions within 1e-5, %d to the bit"
            .formatted(result.scoresWithin(), result.rescored(), result.scoresBitEqual()));
    new TreeMap<>(result.skipped())
        .forEach((reason, count) -> terminal.print("skipped   " + count + " " + reason));
    result.differences().forEach(difference -> terminal.print("DIFFERS   " + difference));
  }
}
