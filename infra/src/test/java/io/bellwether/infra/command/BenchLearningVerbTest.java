package io.bellwether.infra.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.bellwether.infra.local.Installation;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchLearningVerbTest {
  @TempDir private Path folder;

  private final ByteArrayOutputStream output = new ByteArrayOutputStream();

  @Test
  void aCellThatWasChosenIsMeasuredAndFoundAgain() throws Exception {
    assertEquals(ExitCode.DONE, measure(), output::toString);
    JsonNode result = new ObjectMapper().readTree(folder.resolve("learning.json").toFile());
    assertEquals("learning", result.get("bench").asText());
    assertEquals("kuairand-30", result.at("/details/cells/0/task").asText());
    assertTrue(result.get("best_score").isNumber());
    for (String file : List.of("learning.md", "learning-scores.svg", "learning-profile.svg")) {
      assertTrue(Files.exists(folder.resolve(file)), file);
    }
    output.reset();
    assertEquals(ExitCode.DONE, measure(), output::toString);
    assertTrue(output.toString(StandardCharsets.UTF_8).contains("1 of 1 cells are there already"));
  }

  private int measure() {
    return run(
        "--quick",
        "--only",
        "bsim",
        "--task",
        "kuairand-30",
        "--algorithm",
        "behaviour-cloning",
        "--seeds",
        "1",
        "--steps",
        "2",
        "--out",
        folder.toString());
  }

  @Test
  void whatIsNotThereIsWrongInput() {
    assertEquals(ExitCode.WRONG_INPUT, run("--task", "kuairand"));
    assertEquals(ExitCode.WRONG_INPUT, run("--algorithm", "magic"));
    assertEquals(ExitCode.WRONG_INPUT, run("--only", "everything"));
    assertEquals(ExitCode.WRONG_INPUT, run("--seeds", "0"));
    assertEquals(ExitCode.WRONG_INPUT, run("--kuairand", folder.resolve("none").toString()));
  }

  private int run(String... arguments) {
    PrintStream stream = new PrintStream(output, true, StandardCharsets.UTF_8);
    Installation installation =
        new Installation(
            Path.of(".."), Path.of(System.getProperty("java.home"), "bin", "java"), "");
    String[] all = new String[arguments.length + 2];
    all[0] = "bench";
    all[1] = "learning";
    System.arraycopy(arguments, 0, all, 2, arguments.length);
    return Bellwether.commandLine(installation, new Terminal(stream, stream, Clock.systemUTC()))
        .execute(all);
  }
}
