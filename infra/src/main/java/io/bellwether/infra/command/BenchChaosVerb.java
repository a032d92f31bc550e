package io.bellwether.infra.command;

import io.bellwether.infra.local.FaultyLocalSystem;
import io.bellwether.infra.local.Installation;
import io.bellwether.loadtest.chaos.ChaosBenchmark;
import io.bellwether.loadtest.chaos.ChaosExtent;
import io.bellwether.loadtest.chaos.ChaosResult;
import io.bellwether.loadtest.chaos.ResultJson;
import io.bellwether.loadtest.chaos.ResultPage;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures what faults do to decisions and outcomes. */
@Command(
    name = "chaos",
    description = {
      "Measure what faults do to decisions and outcomes: each process is killed and stopped, Redis"
          + " and the way to it fail, Kafka stands still until the spool is full, the product's"
          + " clock jumps, a policy rots; and each event is accounted for from its request to its"
          + " transition.",
      "Starts a system of its own, and takes about half an hour, --quick about four minutes.",
      "Writes chaos.json and chaos.md. Exit code 1 where something was not shown."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether bench chaos --quick",
      "  bellwether bench chaos --faults 50 --seed 7 --json out.json"
    })
final class BenchChaosVerb implements Callable<Integer> {
  private final Installation installation;
  private final Terminal terminal;
  private final Clock clock;

  @Mixin private final BenchResults results = new BenchResults();

  @Option(names = "--quick", description = "20 faults, every kind at least once.")
  private boolean quick;

  @Option(
      names = "--faults",
      paramLabel = "N",
      description = "Faults, one after the other (default: 200, --quick 20).")
  private @Nullable Integer faults;

  @Option(
      names = "--rate",
      paramLabel = "N",
      description = "Decisions that are asked for in a second (default: 30).")
  private @Nullable Double rate;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Of the faults' order and of what is asked for (default: ${DEFAULT-VALUE}).")
  private long seed;

  BenchChaosVerb(Installation installation, Terminal terminal, Clock clock) {
    this.installation = installation;
    this.terminal = terminal;
    this.clock = clock;
  }

  @Override
  public Integer call() throws Exception {
    ChaosBenchmark benchmark = new ChaosBenchmark(extent(), seed);
    ChaosResult result;
    try (WorkFolder work = results.work()) {
      FaultyLocalSystem.Source source =
          new FaultyLocalSystem.Source(installation, work.path(), clock, terminal::progress);
      result = source.with(system -> benchmark.run(system, clock, terminal::progress));
    }
    Map<String, String> machine = Machine.described();
    return results.write(
        "chaos",
        result,
        ResultJson.of(result, clock.instant(), machine),
        ResultPage.of(result, command(), machine),
        terminal);
  }

  private ChaosExtent extent() {
    ChaosExtent extent = quick ? ChaosExtent.quick() : ChaosExtent.full();
    if (faults != null) {
      extent = extent.withFaults(Amount.atLeast(1, faults, "--faults"));
    }
    if (rate == null) {
      return extent;
    }
    if (!(rate > 0)) {
      throw CommandFailed.wrongInput(
          "--rate is above 0, found " + rate + ".", "Leave it away for the default.");
    }
    return extent.withPerSecond(rate);
  }

  /** As it was typed, without where things lie. */
  private String command() {
    return "./bellwether bench chaos"
        + (quick ? " --quick" : "")
        + (faults == null ? "" : " --faults " + faults)
        + (rate == null ? "" : " --rate " + rate)
        + " --seed "
        + seed;
  }
}
