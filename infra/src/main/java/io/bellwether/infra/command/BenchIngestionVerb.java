package io.bellwether.infra.command;

import io.bellwether.infra.local.Installation;
import io.bellwether.infra.local.MeasuredStreams;
import io.bellwether.loadtest.ingestion.IngestionBenchmark;
import io.bellwether.loadtest.ingestion.IngestionExtent;
import io.bellwether.loadtest.ingestion.IngestionResult;
import io.bellwether.loadtest.ingestion.ResultJson;
import io.bellwether.loadtest.ingestion.ResultPage;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures the join of decisions and outcomes. */
@Command(
    name = "ingestion",
    description = {
      "Measure the join of decisions and outcomes: beside an empty pipeline over the same records,"
          + " against a slow join by the written rules, cut off and continued at chance moments,"
          + " with decisions of ten kilobytes through Kafka; and what it holds, in state and in"
          + " Redis.",
      "Starts a Kafka and a Redis of its own. --quick takes some minutes; without it ten million"
          + " decisions are joined, which takes far longer.",
      "Writes ingestion.json and ingestion.md. Exit code 1 where something was not shown."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether bench ingestion --quick",
      "  bellwether bench ingestion --seed 7 --json out.json"
    })
final class BenchIngestionVerb implements Callable<Integer> {
  private final Installation installation;
  private final Terminal terminal;
  private final Clock clock;

  @Mixin private final BenchResults results = new BenchResults();

  @Option(
      names = "--quick",
      description = "200,000 decisions in each round, 3 restarts, histories of 50,000 subjects.")
  private boolean quick;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Of everything random (default: ${DEFAULT-VALUE}).")
  private long seed;

  BenchIngestionVerb(Installation installation, Terminal terminal, Clock clock) {
    this.installation = installation;
    this.terminal = terminal;
    this.clock = clock;
  }

  @Override
  public Integer call() throws Exception {
    IngestionExtent extent = quick ? IngestionExtent.quick() : IngestionExtent.full();
    IngestionResult result;
    try (WorkFolder work = results.work()) {
      MeasuredStreams streams =
          new MeasuredStreams(installation, work.path().resolve("system"), terminal::progress);
      result =
          new IngestionBenchmark(extent, seed, clock, terminal::progress)
              .run(streams, work.path().resolve("checkpoints"));
    }
    Map<String, String> machine = Machine.described();
    return results.write(
        "ingestion",
        result,
        ResultJson.of(result, clock.instant(), machine),
        ResultPage.of(result, command(), machine),
        terminal);
  }

  /** As it was typed, without where things lie. */
  private String command() {
    return "./bellwether bench ingestion" + (quick ? " --quick" : "") + " --seed " + seed;
  }
}
