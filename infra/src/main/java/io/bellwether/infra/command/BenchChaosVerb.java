package io.bellwether.infra.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.bellwether.infra.local.FaultyLocalSystem;
import io.bellwether.infra.local.Installation;
import io.bellwether.loadtest.chaos.ChaosBenchmark;
import io.bellwether.loadtest.chaos.ChaosExtent;
import io.bellwether.loadtest.chaos.ChaosResult;
import io.bellwether.loadtest.chaos.ResultJson;
import io.bellwether.loadtest.chaos.ResultPage;
import io.bellwether.loadtest.evaluation.WorkFolder;
import io.bellwether.loadtest.result.Requirement;
import java.io.IOException;
import java.nio.file.Path;
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

  @Mixin private final JsonOption json = new JsonOption();

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

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "data/bench",
      description = "Folder for the results (default: ${DEFAULT-VALUE}).")
  private Path out = Path.of("data/bench");

  BenchChaosVerb(Installation installation, Terminal terminal, Clock clock) {
    this.installation = installation;
    this.terminal = terminal;
    this.clock = clock;
  }

  @Override
  public Integer call() throws Exception {
    ChaosBenchmark benchmark = new ChaosBenchmark(extent(), seed);
    ChaosResult result;
    try (WorkFolder work = WorkFolder.below(out.toAbsolutePath())) {
      FaultyLocalSystem.Source source =
          new FaultyLocalSystem.Source(installation, work.path(), clock, terminal::progress);
      result = source.with(system -> benchmark.run(system, clock, terminal::progress));
    }
    Map<String, String> machine = Machine.described();
    JsonNode written = ResultJson.of(result, clock.instant(), machine);
    write("chaos.json", pretty(written));
    write("chaos.md", ResultPage.of(result, command(), machine));
    json.write(written);
    result.requirements().forEach(each -> terminal.print(Machine.line(each)));
    terminal.print("Tables: " + out.resolve("chaos.md"));
    return result.requirements().stream()
            .anyMatch(each -> each.status() == Requirement.Status.NOT_SHOWN)
        ? ExitCode.NO
        : ExitCode.DONE;
  }

  private ChaosExtent extent() {
    ChaosExtent extent = quick ? ChaosExtent.quick() : ChaosExtent.full();
    if (faults != null) {
      extent = extent.withFaults((int) above(0, faults, "--faults"));
    }
    return rate == null ? extent : extent.withPerSecond(above(0, rate, "--rate"));
  }

  private static double above(double bound, double number, String option) {
    if (!(number > bound)) {
      throw CommandFailed.wrongInput(
          option + " is above " + bound + ", found " + number + ".",
          "Leave it away for the default.");
    }
    return number;
  }

  private void write(String name, String text) {
    WholeFile.write(out.resolve(name), text.getBytes(UTF_8));
  }

  private static String pretty(JsonNode result) throws IOException {
    return new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(result)
        + "\n";
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
