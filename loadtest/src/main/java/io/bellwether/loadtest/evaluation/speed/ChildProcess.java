package io.bellwether.loadtest.evaluation.speed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A program that measures itself and prints one JSON object. What it prints goes through files, so
 * that nothing of ours runs beside it.
 */
record ChildProcess(List<String> command, Path work) {
  private static final Duration MOST = Duration.ofMinutes(10);

  ChildProcess {
    command = List.copyOf(command);
  }

  /**
   * Runs it to its end.
   *
   * @throws IOException if it cannot be started, fails or takes more than ten minutes; the message
   *     has its last words
   */
  JsonNode run() throws IOException, InterruptedException {
    Path output = Files.createTempFile(work, "output", ".json");
    Path errors = Files.createTempFile(work, "errors", ".log");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(output.toFile())
            .redirectError(errors.toFile())
            .start();
    try {
      if (!process.waitFor(MOST.toSeconds(), TimeUnit.SECONDS)) {
        throw new IOException(command.get(0) + " took more than " + MOST);
      }
    } finally {
      process.destroyForcibly();
    }
    if (process.exitValue() != 0) {
      List<String> lines = Files.readAllLines(errors);
      throw new IOException(
          command.get(0)
              + " failed: "
              + (lines.isEmpty() ? process.exitValue() : lines.get(lines.size() - 1)));
    }
    return new ObjectMapper().readTree(output.toFile());
  }
}
