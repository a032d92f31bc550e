package io.bellwether.infra.command;

import io.bellwether.infra.local.Installation;
import io.bellwether.infra.local.MeasuredService;
import io.bellwether.loadtest.serving.BenchmarkExtent;
import io.bellwether.loadtest.serving.ResultJson;
import io.bellwether.loadtest.serving.ResultPage;
import io.bellwether.loadtest.serving.ServingBenchmark;
import io.bellwether.loadtest.serving.ServingResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures how fast decisions are, beside the floors of the same machine. */
@Command(
    name = "serving",
    description = {
      "Measure how fast decisions are: load that does not wait for answers, ramps to saturation,"
          + " latency at half of it beside an endpoint that does nothing and the bare graph, swaps"
          + " of the policy under load, and a soak.",
      "Starts Kafka, Redis and a service of its own. Numbers mean something only where nothing else"
          + " runs. The whole of it takes about three quarters of an hour on two cores, --quick"
          + " less than four minutes.",
      "Writes serving.json and serving.md, and of each scenario its distributions (.hgrm) and a"
          + " plot (.svg). Exit code 1 where something was not shown."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether bench serving --quick",
      "  bellwether bench serving --scenario by-id --soak 0 --swaps 0",
      "  bellwether bench serving --scenarios my-scenarios/ --json out.json",
      "  bellwether bench serving --jvm-option -XX:StartFlightRecording=filename=/tmp/s.jfr"
    })
final class BenchServingVerb implements Callable<Integer> {
  private static final Path SCENARIOS = Path.of("examples", "benchmarks");

  private final Installation installation;
  private final Terminal terminal;
  private final Clock clock;

  @Mixin private final BenchResults results = new BenchResults();

  @Option(
      names = "--quick",
      description = "Shorter steps, fewer scenarios, swaps and hostile requests, no soak.")
  private boolean quick;

  @Option(
      names = "--scenario",
      paramLabel = "PATTERN",
      defaultValue = ".*",
      description =
          "Only scenarios whose whole name matches this regular expression (default: all). The"
              + " first is the reference, on which swaps and the soak run.")
  private String scenario = ".*";

  @Option(
      names = "--scenarios",
      paramLabel = "DIR",
      description = {
        "Folder of scenario files, with the surfaces that they name in surfaces/ below it",
        "(default: examples/benchmarks)."
      })
  private @Nullable Path scenarios;

  @Option(
      names = "--swaps",
      paramLabel = "N",
      description = "Swaps of the champion under load, 0 for none (default: 1000, --quick 100).")
  private @Nullable Integer swaps;

  @Option(
      names = "--soak",
      paramLabel = "MINUTES",
      description = "Minutes at half of saturation, 0 for none (default: 30, --quick 0).")
  private @Nullable Integer soak;

  @Option(
      names = "--fuzz",
      paramLabel = "N",
      description =
          "Malformed and hostile requests at the end, 0 for none (default: 1000000, --quick"
              + " 10000).")
  private @Nullable Integer fuzz;

  @Option(
      names = "--jvm-option",
      paramLabel = "OPTION",
      description = "A further option of the service's JVM; may be repeated.")
  private List<String> jvmOptions = List.of();

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Of everything random (default: ${DEFAULT-VALUE}).")
  private long seed;

  BenchServingVerb(Installation installation, Terminal terminal, Clock clock) {
    this.installation = installation;
    this.terminal = terminal;
    this.clock = clock;
  }

  @Override
  public Integer call() throws Exception {
    ServingBenchmark benchmark = new ServingBenchmark(folder(), pattern(), extent(), seed);
    ServingResult result;
    try (WorkFolder work = results.work()) {
      MeasuredService service =
          new MeasuredService(
              installation,
              work.path(),
              folder().resolve("surfaces").toAbsolutePath(),
              jvmOptions,
              clock,
              terminal::progress);
      try {
        result =
            service.with(each -> benchmark.run(each, results.folder(), clock, terminal::progress));
      } finally {
        keepLog(work.path().resolve("logs").resolve("serving.log"));
      }
    }
    return results.write(
        "serving",
        result,
        ResultJson.of(result),
        ResultPage.of(result, command(), Machine.described()),
        terminal);
  }

  /** What the service printed says why something failed; the rest of its folder goes. */
  private void keepLog(Path log) throws IOException {
    if (Files.exists(log)) {
      Files.createDirectories(results.folder());
      Files.copy(log, results.folder().resolve("serving.log"), StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private Path folder() {
    Path folder = scenarios == null ? installation.home().resolve(SCENARIOS) : scenarios;
    if (!Files.isDirectory(folder.resolve("surfaces"))) {
      throw CommandFailed.wrongInput(
          folder + " has no folder surfaces.", "Name another one with --scenarios.");
    }
    return folder;
  }

  private Pattern pattern() {
    try {
      return Pattern.compile(scenario);
    } catch (PatternSyntaxException e) {
      throw CommandFailed.wrongInput(
          "--scenario is no regular expression: " + e.getDescription() + ".",
          "Leave it away for all scenarios.");
    }
  }

  private BenchmarkExtent extent() {
    BenchmarkExtent extent = quick ? BenchmarkExtent.quick() : BenchmarkExtent.full();
    if (swaps != null) {
      extent = extent.withSwaps(Amount.atLeast(0, swaps, "--swaps"));
    }
    if (fuzz != null) {
      extent = extent.withHostile(Amount.atLeast(0, fuzz, "--fuzz"));
    }
    return soak == null
        ? extent
        : extent.withSoak(Duration.ofMinutes(Amount.atLeast(0, soak, "--soak")));
  }

  /** As it was typed, without where things lie. */
  private String command() {
    return "./bellwether bench serving"
        + (quick ? " --quick" : "")
        + (scenario.equals(".*") ? "" : " --scenario " + scenario)
        + (swaps == null ? "" : " --swaps " + swaps)
        + (soak == null ? "" : " --soak " + soak)
        + (fuzz == null ? "" : " --fuzz " + fuzz)
        + " --seed "
        + seed;
  }
}
