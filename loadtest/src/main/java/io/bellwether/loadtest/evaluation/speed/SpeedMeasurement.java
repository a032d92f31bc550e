package io.bellwether.loadtest.evaluation.speed;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Measures {@link SpeedComparison}. Confined to one thread.
 *
 * @param java the executable of our processes
 * @param classPath theirs
 * @param python with NumPy
 * @param work an empty folder, for logs of 340 bytes a round
 */
public record SpeedMeasurement(
    Path java, String classPath, String python, Path work, Consumer<String> progress) {
  private static final int ACTIONS = 20;
  private static final int REPLICATES = 200;
  private static final String HEAP = "1g";

  /** Other logs by which the code is warmed before the one that counts. */
  private static final int WARM_UPS = 4;

  private static final int WARM_UP_SHARE = 4;

  /**
   * How much is measured.
   *
   * @param runs of each tool, at least 1
   * @param largeRounds of the log that is larger than the heap; 0 for none
   */
  public record Extent(int rounds, int runs, int largeRounds) {}

  /** Draws the logs and runs the tools in turn. */
  public SpeedComparison measure(Extent extent, long seed)
      throws IOException, InterruptedException {
    Rounds log = Rounds.draw(work.resolve("log"), extent.rounds, ACTIONS, seed);
    Rounds other =
        Rounds.draw(
            work.resolve("other"), Math.max(1, extent.rounds / WARM_UP_SHARE), ACTIONS, seed + 1);
    List<ToolRun> reference = new ArrayList<>();
    List<ToolRun> cold = new ArrayList<>();
    List<ToolRun> warm = new ArrayList<>();
    String version = "";
    String missing = "";
    for (int run = 0; run < extent.runs; run++) {
      if (missing.isEmpty()) {
        try {
          JsonNode result = reference(log, seed + run);
          version = result.get("numpy").asText();
          reference.add(ToolRun.of(result));
          say("numpy", reference.get(run));
        } catch (IOException e) {
          missing = String.valueOf(e.getMessage());
          progress.accept("speed: no NumPy to compare with: " + missing);
        }
      }
      cold.add(ours(List.of(log), seed + run));
      say("first log of a process", cold.get(run));
      warm.add(ours(warmed(other, log), seed + run));
      say("after other logs", warm.get(run));
    }
    return new SpeedComparison(
        extent.rounds,
        ACTIONS,
        REPLICATES,
        reference,
        version,
        missing,
        cold,
        warm,
        large(extent.largeRounds, seed));
  }

  private static List<Rounds> warmed(Rounds other, Rounds log) {
    List<Rounds> logs = new ArrayList<>();
    for (int at = 0; at < WARM_UPS; at++) {
      logs.add(other);
    }
    logs.add(log);
    return logs;
  }

  private SpeedComparison.@Nullable Large large(int rounds, long seed)
      throws IOException, InterruptedException {
    if (rounds == 0) {
      return null;
    }
    progress.accept("speed: drawing %,d rounds".formatted(rounds));
    Rounds log = Rounds.draw(work.resolve("large"), rounds, ACTIONS, seed + 2);
    ToolRun run = ours(List.of(log), seed);
    say("%,d rounds".formatted(rounds), run);
    return new SpeedComparison.Large(rounds, HEAP, run);
  }

  private ToolRun ours(List<Rounds> logs, long seed) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                java.toString(), "-Xmx" + HEAP, "-cp", classPath, EvaluateRounds.class.getName()));
    logs.forEach(log -> command.addAll(arguments(log, seed)));
    return ToolRun.of(new ChildProcess(command, work).run());
  }

  private JsonNode reference(Rounds log, long seed) throws IOException, InterruptedException {
    Path script = work.resolve("numpy_reference.py");
    try (InputStream in =
        Objects.requireNonNull(SpeedMeasurement.class.getResourceAsStream("numpy_reference.py"))) {
      Files.write(script, in.readAllBytes());
    }
    List<String> command = new ArrayList<>(List.of(python, script.toString()));
    command.addAll(arguments(log, seed));
    return new ChildProcess(command, work).run();
  }

  private static List<String> arguments(Rounds log, long seed) {
    return List.of(
        log.folder().toString(),
        Integer.toString(log.rounds()),
        Integer.toString(log.actions()),
        Integer.toString(REPLICATES),
        Long.toString(seed));
  }

  private void say(String what, ToolRun run) {
    String memory =
        run.peakMemoryGib() > 0
            ? String.format(Locale.ROOT, ", %.2f GiB", run.peakMemoryGib())
            : "";
    progress.accept(String.format(Locale.ROOT, "speed: %s: %.2f s%s", what, run.seconds(), memory));
  }
}
