package io.bellwether.infra.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.bellwether.infra.local.Installation;
import io.bellwether.infra.local.LocalStore;
import io.bellwether.ingestion.surface.SurfaceReader;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import io.bellwether.trainer.job.Baseline;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/** The whole command in this process, on a data folder of its own, with the real examples. */
final class CommandLineFixture {
  private final Path data;
  private final Installation installation;
  private String output = "";
  private String errors = "";

  CommandLineFixture(Path data) {
    this.data = data;
    this.installation = new Installation(Path.of(".."), Path.of("java"), "");
  }

  /** Runs a verb; what it printed stays until the next one. */
  int run(String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Terminal terminal =
        new Terminal(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            Clock.systemUTC());
    int code = Bellwether.commandLine(installation, terminal).execute(arguments);
    output = out.toString(StandardCharsets.UTF_8);
    errors = err.toString(StandardCharsets.UTF_8);
    return code;
  }

  /** Runs a verb on the data folder. */
  int runOnData(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--data", data.toString()));
    return run(all.toArray(String[]::new));
  }

  /** Runs a verb on the data folder; its result as {@code --json} wrote it. */
  JsonNode resultOf(int expectedCode, String... arguments) throws Exception {
    Path file = data.resolveSibling("result.json");
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--json", file.toString()));
    int code = runOnData(all.toArray(String[]::new));
    if (code != expectedCode) {
      throw new AssertionError("exit code " + code + ": " + output + errors);
    }
    return new ObjectMapper().readTree(file.toFile());
  }

  String output() {
    return output;
  }

  String errors() {
    return errors;
  }

  PolicyStore store() {
    return LocalStore.open(data, Clock.systemUTC(), move -> {});
  }

  /** A version of the short-video policy; those of different seconds differ. */
  VersionId publishRanking(int second) throws Exception {
    Clock clock = Clock.fixed(Instant.ofEpochSecond(1_700_000_000L + second), ZoneOffset.UTC);
    return new Baseline(clock, "test")
        .publish(
            new SurfaceReader().read(Path.of("../examples/surfaces/short-video.yaml")), store())
        .id();
  }
}
