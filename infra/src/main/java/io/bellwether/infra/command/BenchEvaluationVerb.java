package io.bellwether.infra.command;

import io.bellwether.infra.local.Installation;
import io.bellwether.loadtest.evaluation.BenchmarkExtent;
import io.bellwether.loadtest.evaluation.EvaluationBenchmark;
import io.bellwether.loadtest.evaluation.EvaluationResult;
import io.bellwether.loadtest.evaluation.ResultJson;
import io.bellwether.loadtest.evaluation.ResultPage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures how far evaluations of policies can be trusted, and how fast they are. */
@Command(
    name = "evaluation",
    description = {
      "Measure how far evaluations of policies can be trusted, and how fast they are: reference"
          + " numbers, planted failures, how often 95 %% intervals hold the truth, and speed and"
          + " memory beside NumPy.",
      "Uses all cores; speed means something only where nothing else runs. The whole of it takes"
          + " about ten minutes on two cores and 4 GB of disk, --quick less than three minutes and"
          + " 0.5 GB.",
      "Writes evaluation.json and evaluation.md. Exit code 1 where something was not shown."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether bench evaluation",
      "  bellwether bench evaluation --quick --json out.json",
      "  bellwether bench evaluation --logs 10000 --seed 7",
      "  bellwether bench evaluation --open-bandit obd/ --out /srv/bench"
    })
final class BenchEvaluationVerb implements Callable<Integer> {
  private static final String GOLDEN = "evaluation/src/test/resources/golden";

  private final Installation installation;
  private final Terminal terminal;

  @Mixin private final BenchResults results = new BenchResults();

  @Option(
      names = "--quick",
      description = "Fewer logs, one run of each tool, no log that is larger than the heap.")
  private boolean quick;

  @Option(
      names = "--logs",
      paramLabel = "N",
      description = "Logs per coverage study (default: 4000, with --quick 500).")
  private @Nullable Integer logs;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "Rounds of the log that both tools evaluate (default: 1000000).")
  private @Nullable Integer rounds;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Of everything random (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--golden",
      paramLabel = "DIR",
      description = "Folder with the reference numbers (default: those of the sources).")
  private @Nullable Path golden;

  @Option(
      names = "--open-bandit",
      paramLabel = "DIR",
      description =
          "Folder of the Open Bandit Dataset's small version, with bts/ and random/; its numbers"
              + " are compared where it is given.")
  private @Nullable Path openBandit;

  @Option(
      names = "--python",
      paramLabel = "NAME",
      defaultValue = "python3",
      description = "A Python with NumPy (default: ${DEFAULT-VALUE}).")
  private String python = "python3";

  BenchEvaluationVerb(Installation installation, Terminal terminal) {
    this.installation = installation;
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws Exception {
    EvaluationBenchmark benchmark = new EvaluationBenchmark(inputs(), extent(), seed);
    EvaluationResult result;
    try (WorkFolder work = results.work()) {
      result = benchmark.run(work.path(), terminal::progress);
    }
    return results.write(
        "evaluation",
        result,
        ResultJson.of(result),
        ResultPage.of(result, command(), Machine.described()),
        terminal);
  }

  private EvaluationBenchmark.Inputs inputs() {
    return new EvaluationBenchmark.Inputs(
        existing(golden == null ? installation.home().resolve(GOLDEN) : golden, "--golden"),
        openBandit == null ? Optional.empty() : Optional.of(existing(openBandit, "--open-bandit")),
        installation.java(),
        installation.classPath(),
        python);
  }

  private static Path existing(Path folder, String option) {
    if (!Files.isDirectory(folder)) {
      throw CommandFailed.wrongInput(
          folder + " is no folder.", "Name another one with " + option + ".");
    }
    return folder;
  }

  private BenchmarkExtent extent() {
    BenchmarkExtent extent = quick ? BenchmarkExtent.quick() : BenchmarkExtent.full();
    if (logs != null) {
      extent = extent.withLogs(Amount.atLeast(1, logs, "--logs"));
    }
    return rounds == null ? extent : extent.withRounds(Amount.atLeast(1, rounds, "--rounds"));
  }

  /** As it was typed, without where the results go. */
  private String command() {
    return "./bellwether bench evaluation"
        + (quick ? " --quick" : "")
        + (logs == null ? "" : " --logs " + logs)
        + (rounds == null ? "" : " --rounds " + rounds)
        + (openBandit == null ? "" : " --open-bandit DIR")
        + " --seed "
        + seed;
  }
}
