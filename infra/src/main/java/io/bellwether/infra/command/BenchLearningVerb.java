package io.bellwether.infra.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bellwether.loadtest.learning.LearningBenchmark;
import io.bellwether.loadtest.learning.LearningBenchmark.Part;
import io.bellwether.loadtest.learning.LearningExtent;
import io.bellwether.loadtest.learning.LearningResult;
import io.bellwether.loadtest.learning.ResultJson;
import io.bellwether.loadtest.learning.ResultPage;
import io.bellwether.loadtest.learning.bsim.LearningMethods;
import io.bellwether.loadtest.learning.bsim.SimulatedTask;
import io.bellwether.loadtest.learning.speed.LearningSpeedMeasurement;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Compares the trainer's algorithms where the truth is known. */
@Command(
    name = "learning",
    description = {
      "Compare the trainer's algorithms where the truth is known: on simulated sessions of people"
          + " whose every reaction is known, and on small constrained processes with exact"
          + " optima; and measure what learning costs.",
      "Each run of an algorithm on a task with a seed is kept as soon as it is done: whatever ends"
          + " the benchmark, the same command goes on from there; the other parts are done anew."
          + " --quick begins with what is asked most and leaves out what its time does not allow;"
          + " the whole takes days on two cores. Large logs want a larger heap:"
          + " BELLWETHER_JAVA_OPTIONS=-Xmx4g.",
      "Writes learning.json, learning.md and two plots (.svg). Exit code 1 where something was not"
          + " shown."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether bench learning --quick",
      "  bellwether bench learning --minutes 60",
      "  bellwether bench learning --only bsim --task kuairand-6000 --algorithm two-stage --seeds"
          + " 1",
      "  bellwether bench learning --only tabular --json out.json"
    })
final class BenchLearningVerb implements Callable<Integer> {
  private final Terminal terminal;
  private final Clock clock;

  @Mixin private final BenchResults results = new BenchResults();

  @Option(
      names = "--quick",
      description = "One task, short training, and as much of two seeds as some minutes allow.")
  private boolean quick;

  @Option(
      names = "--only",
      paramLabel = "PART",
      split = ",",
      description = "Only these parts: bsim, tabular, online, kuairand, speed (default: all).")
  private List<String> only = List.of();

  @Option(
      names = "--task",
      paramLabel = "NAME",
      split = ",",
      description = "Only these simulated tasks, such as kuairand-6000 or dense-20000.")
  private List<String> tasks = List.of();

  @Option(
      names = "--algorithm",
      paramLabel = "NAME",
      split = ",",
      description = "Only these algorithms, or settings of one.")
  private List<String> algorithms = List.of();

  @Option(
      names = "--seeds",
      paramLabel = "N",
      description = "Seeds per task and algorithm (default: 10, with --quick 2).")
  private @Nullable Integer seeds;

  @Option(
      names = "--steps",
      paramLabel = "N",
      description = "Steps of training (default: 20000, with --quick 500).")
  private @Nullable Integer steps;

  @Option(
      names = "--minutes",
      paramLabel = "N",
      description =
          "Begin no further run after this long, all parts counted; the next time goes on.")
  private @Nullable Integer minutes;

  @Option(
      names = "--parallel",
      paramLabel = "N",
      defaultValue = "2",
      description = "Runs at a time, a core each (default: ${DEFAULT-VALUE}).")
  private int parallel = 2;

  @Option(
      names = "--cells",
      paramLabel = "DIR",
      description = "Folder that keeps what is done (default: learning-cells in the results).")
  private @Nullable Path cells;

  @Option(
      names = "--kuairand",
      paramLabel = "DIR",
      description =
          "Folder of KuaiRand with log_standard*.csv; algorithms learn from it too where it is"
              + " given.")
  private @Nullable Path kuairand;

  @Option(
      names = "--python",
      paramLabel = "NAME",
      defaultValue = "python3",
      description = "A Python with PyTorch, to compare speed with (default: ${DEFAULT-VALUE}).")
  private String python = "python3";

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Of the resampling behind intervals (default: ${DEFAULT-VALUE}).")
  private long seed;

  BenchLearningVerb(Terminal terminal, Clock clock) {
    this.terminal = terminal;
    this.clock = clock;
  }

  @Override
  public Integer call() throws Exception {
    LearningExtent extent = extent();
    Set<Part> parts = parts();
    List<Path> logs = logs();
    int atATime = Amount.atLeast(1, parallel, "--parallel");
    LearningResult result;
    try (WorkFolder work = results.work()) {
      LearningBenchmark benchmark =
          new LearningBenchmark(
              extent,
              parts,
              seed,
              new LearningBenchmark.Inputs(logs, () -> costs(work.path())),
              terminal::progress);
      result = benchmark.run(folder(), atATime);
    }
    Map<String, String> machine = Machine.described();
    ResultPage.plots(result)
        .forEach(
            (name, drawing) ->
                WholeFile.write(results.folder().resolve(name), drawing.getBytes(UTF_8)));
    return results.write(
        "learning",
        result,
        ResultJson.of(result, clock.instant(), machine, new Versions().all()),
        ResultPage.of(result, typed(), command(), machine),
        terminal);
  }

  private List<LearningResult.Cost> costs(Path work) throws Exception {
    LearningSpeedMeasurement.Extent extent =
        quick ? LearningSpeedMeasurement.Extent.quick() : LearningSpeedMeasurement.Extent.full();
    return new LearningSpeedMeasurement(python, work, terminal::progress)
        .measure(extent, seed)
        .costs();
  }

  private List<Path> logs() {
    if (kuairand == null) {
      return List.of();
    }
    if (!Files.isDirectory(kuairand)) {
      throw CommandFailed.wrongInput(
          kuairand + " is no folder.", "Name the one with log_standard*.csv.");
    }
    return List.of(kuairand);
  }

  private Path folder() {
    return cells == null ? results.folder().resolve("learning-cells") : cells;
  }

  private LearningExtent extent() {
    LearningExtent extent = quick ? LearningExtent.quick() : LearningExtent.full();
    try {
      if (!tasks.isEmpty()) {
        extent = extent.withTasks(tasks.stream().map(SimulatedTask::of).toList());
      }
      if (!algorithms.isEmpty()) {
        extent = extent.withMethods(LearningMethods.named(algorithms));
      }
    } catch (IllegalArgumentException e) {
      throw CommandFailed.wrongInput(
          e.getMessage() + ".", "Leave the option away for all of them.");
    }
    if (seeds != null) {
      extent = extent.withSeeds(Amount.atLeast(1, seeds, "--seeds"));
    }
    if (steps != null) {
      extent = extent.withSteps(Amount.atLeast(1, steps, "--steps"));
    }
    return minutes == null
        ? extent
        : extent.withLimit(Duration.ofMinutes(Amount.atLeast(1, minutes, "--minutes")));
  }

  private Set<Part> parts() {
    if (only.isEmpty()) {
      return EnumSet.allOf(Part.class);
    }
    Set<Part> parts = EnumSet.noneOf(Part.class);
    for (String each : only) {
      try {
        parts.add(Part.valueOf(each.toUpperCase(Locale.ROOT)));
      } catch (IllegalArgumentException e) {
        throw CommandFailed.wrongInput(
            "'" + each + "' is no part of the benchmark.",
            "There are "
                + Arrays.stream(Part.values())
                    .map(part -> part.name().toLowerCase(Locale.ROOT))
                    .collect(Collectors.joining(", "))
                + ".");
      }
    }
    return parts;
  }

  /** What tells how much each run is, to which a page adds what chooses one. */
  private String command() {
    return "./bellwether bench learning"
        + (quick ? " --quick" : "")
        + (steps == null ? "" : " --steps " + steps)
        + (seed == 1 ? "" : " --seed " + seed);
  }

  /** As it was typed, without where things lie. */
  private String typed() {
    return command()
        + chosen(" --only ", only)
        + chosen(" --task ", tasks)
        + chosen(" --algorithm ", algorithms)
        + (seeds == null ? "" : " --seeds " + seeds)
        + (minutes == null ? "" : " --minutes " + minutes);
  }

  private static String chosen(String option, List<String> values) {
    return values.isEmpty() ? "" : option + String.join(",", values);
  }
}
