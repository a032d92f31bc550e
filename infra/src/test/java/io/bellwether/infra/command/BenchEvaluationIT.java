package io.bellwether.infra.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import io.bellwether.infra.local.Installation;
import io.bellwether.loadtest.evaluation.EvaluationBenchmark;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The benchmark through the command, small. */
class BenchEvaluationIT {
  @TempDir Path folder;

  private final ByteArrayOutputStream output = new ByteArrayOutputStream();

  @Test
  void aQuickRunWritesWhatIsComparedBetweenRuns() throws Exception {
    Path out = folder.resolve("out");
    Path json = folder.resolve("result.json");
    int code =
        run(
            "bench",
            "evaluation",
            "--quick",
            "--logs",
            "50",
            "--rounds",
            "20000",
            "--out",
            out.toString(),
            "--json",
            json.toString());
    assertTrue(code == ExitCode.DONE || code == ExitCode.NO, output::toString);
    JsonNode result = new ObjectMapper().readTree(json.toFile());
    assertEquals(1, result.get("golden_rows_equal_share").asDouble());
    assertEquals(0, result.get("planted_failures_passed").asInt());
    assertEquals(0, result.get("planted_failures_unnamed").asInt());
    for (String name : List.of("coverage_min", "coverage_max")) {
      double share = result.get(name).asDouble();
      assertTrue(share > 0.75 && share <= 1, name + " " + share);
    }
    assertTrue(result.get("peak_memory_gib").asDouble() < 2);
    assertTrue(
        result.get("speed_over_reference").isNumber() || result.has("speed_over_reference_reason"));
    assertEquals(result, new ObjectMapper().readTree(out.resolve("evaluation.json").toFile()));
    assertTrue(Files.readString(out.resolve("evaluation.md")).contains("## Planted failures"));
    try (Stream<Path> left = Files.list(out)) {
      assertEquals(2, left.count(), "work is deleted");
    }
    assertTrue(output.toString(StandardCharsets.UTF_8).contains("golden numbers"));
  }

  @Test
  void whatIsNotThereIsWrongInput() {
    assertEquals(ExitCode.WRONG_INPUT, run("bench"));
    assertEquals(ExitCode.WRONG_INPUT, run("bench", "evaluation", "--logs", "0"));
    assertEquals(
        ExitCode.WRONG_INPUT,
        run("bench", "evaluation", "--golden", folder.resolve("none").toString()));
    assertFalse(Files.exists(Path.of("data/bench")));
  }

  private int run(String... arguments) {
    PrintStream stream = new PrintStream(output, true, StandardCharsets.UTF_8);
    Installation installation =
        new Installation(
            Path.of(".."), Path.of(System.getProperty("java.home"), "bin", "java"), classPath());
    return Bellwether.commandLine(installation, new Terminal(stream, stream, Clock.systemUTC()))
        .execute(arguments);
  }

  /** What the processes that measure speed need; a test runner's own class path hides it. */
  private static String classPath() {
    return Stream.of(
            EvaluationBenchmark.class,
            LoggedDecisions.class,
            ObjectMapper.class,
            JsonParser.class,
            JsonProperty.class)
        .map(type -> type.getProtectionDomain().getCodeSource().getLocation())
        .map(location -> new File(location.getPath()).getPath())
        .distinct()
        .collect(Collectors.joining(File.pathSeparator));
  }
}
