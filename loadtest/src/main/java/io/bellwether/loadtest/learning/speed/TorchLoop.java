package io.bellwether.loadtest.learning.speed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * The same step as a plain PyTorch loop in a process of its own, which makes updates when it is
 * asked to and waits in between. Confined to one thread; ends the process on {@link #close}.
 */
final class TorchLoop implements AutoCloseable {
  private static final String SCRIPT = "torch_loop.py";

  /** Also where Debian's package is, when another Python comes first. */
  private static final String SYSTEM_PYTHON = "/usr/bin/python3";

  private static final long SECONDS_TO_FIND = 60;

  private final Process process;
  private final Path errors;
  private final BufferedWriter requests;
  private final BufferedReader answers;
  private final JsonNode about;

  /** What some updates took. */
  record Updates(double seconds, SortedMap<String, Double> losses) {}

  private TorchLoop(Process process, Path errors) throws IOException {
    this.process = process;
    this.errors = errors;
    this.requests =
        new BufferedWriter(
            new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
    this.answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    this.about = answer();
  }

  /** The first of this Python and the system's own that has PyTorch. */
  static Optional<String> findPython(String preferred) throws InterruptedException {
    for (String python : List.of(preferred, SYSTEM_PYTHON)) {
      if (hasTorch(python)) {
        return Optional.of(python);
      }
    }
    return Optional.empty();
  }

  private static boolean hasTorch(String python) throws InterruptedException {
    Process process;
    try {
      process =
          new ProcessBuilder(python, "-c", "import torch")
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
    } catch (IOException noSuchProgram) {
      return false;
    }
    try {
      return process.waitFor(SECONDS_TO_FIND, TimeUnit.SECONDS) && process.exitValue() == 0;
    } finally {
      process.destroyForcibly();
    }
  }

  /**
   * Starts the loop over data that it reads from a folder.
   *
   * @throws IOException if it cannot be started or fails; the message has its last words
   */
  static TorchLoop start(String python, LearningStep step, int hidden, StepData data, Path folder)
      throws IOException {
    data.write(folder);
    Path script = folder.resolve(SCRIPT);
    try (InputStream in = Objects.requireNonNull(TorchLoop.class.getResourceAsStream(SCRIPT))) {
      Files.write(script, in.readAllBytes());
    }
    List<String> command = new ArrayList<>(List.of(python, script.toString(), folder.toString()));
    command.add(step.word());
    for (int size : new int[] {hidden, StepData.ROWS, StepData.FEATURES, StepData.ACTIONS}) {
      command.add(Integer.toString(size));
    }
    Path errors = folder.resolve("errors.log");
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
    builder.environment().put("OMP_NUM_THREADS", "1");
    builder.environment().put("OPENBLAS_NUM_THREADS", "1");
    builder.environment().put("MKL_NUM_THREADS", "1");
    Process process = builder.start();
    try {
      return new TorchLoop(process, errors);
    } catch (IOException failed) {
      process.destroyForcibly();
      throw failed;
    }
  }

  String version() {
    return about.get("torch").asText();
  }

  /** Floating point operations per second of a large product in PyTorch. */
  double productRate() {
    return about.get("productRate").doubleValue();
  }

  Updates run(long updates) throws IOException {
    requests.write(Long.toString(updates));
    requests.newLine();
    requests.flush();
    JsonNode answer = answer();
    SortedMap<String, Double> losses = new TreeMap<>();
    answer
        .get("losses")
        .properties()
        .forEach(each -> losses.put(each.getKey(), each.getValue().doubleValue()));
    return new Updates(answer.get("seconds").doubleValue(), losses);
  }

  private JsonNode answer() throws IOException {
    String line = answers.readLine();
    if (line == null) {
      List<String> words = Files.readAllLines(errors);
      throw new IOException(
          "the PyTorch loop ended: " + (words.isEmpty() ? "" : words.get(words.size() - 1)));
    }
    return new ObjectMapper().readTree(line);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
