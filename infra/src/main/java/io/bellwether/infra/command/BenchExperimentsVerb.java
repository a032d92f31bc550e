package io.bellwether.infra.command;

import io.bellwether.infra.demo.RolloutSystem;
import io.bellwether.infra.local.Installation;
import io.bellwether.loadtest.experiment.BenchmarkExtent;
import io.bellwether.loadtest.experiment.ExperimentBenchmark;
import io.bellwether.loadtest.experiment.ExperimentResult;
import io.bellwether.loadtest.experiment.ResultJson;
import io.bellwether.loadtest.experiment.ResultPage;
import java.time.Clock;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures how far experiments can be trusted. */
@Command(
    name = "experiments",
    description = {
      "Measure how far experiments can be trusted: a thousand simulated ones without an effect,"
          + " with one, and with an uneven split; and policies planted in a service of its own,"
          + " which has to ship the better one and to take the others back without a hand.",
      "Uses all cores. The whole of it takes about half an hour on two cores and 4 GiB of memory,"
          + " --quick less than ten minutes.",
      "Writes experiments.json and experiments.md. Exit code 1 where something was not shown."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether bench experiments --quick",
      "  bellwether bench experiments --rounds 0 --json out.json",
      "  bellwether bench experiments --out /srv/bench --seed 7"
    })
final class BenchExperimentsVerb implements Callable<Integer> {
  private final Installation installation;
  private final Terminal terminal;
  private final Clock clock;

  @Mixin private final BenchResults results = new BenchResults();

  @Option(names = "--quick", description = "Fewer looks, and one round of planted policies.")
  private boolean quick;

  @Option(
      names = "--simulations",
      paramLabel = "N",
      description = "Simulated experiments per study (default: 1000).")
  private @Nullable Integer simulations;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "Rounds of planted policies, 0 for none (default: 4, with --quick 1).")
  private @Nullable Integer rounds;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Of everything simulated (default: ${DEFAULT-VALUE}).")
  private long seed;

  BenchExperimentsVerb(Installation installation, Terminal terminal, Clock clock) {
    this.installation = installation;
    this.terminal = terminal;
    this.clock = clock;
  }

  @Override
  public Integer call() throws Exception {
    ExperimentResult result;
    try (WorkFolder work = results.work()) {
      RolloutSystem system =
          new RolloutSystem(installation, work.path(), clock, terminal::progress);
      result = new ExperimentBenchmark(extent(), seed).run(system::with, clock, terminal::progress);
    }
    return results.write(
        "experiments",
        result,
        ResultJson.of(result),
        ResultPage.of(result, command(), Machine.described()),
        terminal);
  }

  private BenchmarkExtent extent() {
    BenchmarkExtent extent = quick ? BenchmarkExtent.quick() : BenchmarkExtent.full();
    if (simulations != null) {
      extent = extent.withExperiments(Amount.atLeast(1, simulations, "--simulations"));
    }
    return rounds == null ? extent : extent.withRounds(Amount.atLeast(0, rounds, "--rounds"));
  }

  /** As it was typed, without where the results go. */
  private String command() {
    return "./bellwether bench experiments"
        + (quick ? " --quick" : "")
        + (simulations == null ? "" : " --simulations " + simulations)
        + (rounds == null ? "" : " --rounds " + rounds)
        + " --seed "
        + seed;
  }
}
