package io.bellwether.trainer.job;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.trainer.data.DataSummary;
import io.bellwether.trainer.data.Finding;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The folder of one training run, in which learner and client meet: {@code progress.json} while it
 * runs; at the end the version's files and, written last, {@code outcome.json}, which lists them.
 * Files are replaced as a whole, so that a reader never sees half of one.
 */
final class RunFolder {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String PROGRESS = "progress.json";
  private static final String OUTCOME = "outcome.json";
  private static final String FILES = "files";
  private static final String GRAPHS = "*.onnx";

  private final Path folder;

  RunFolder(Path folder) {
    this.folder = folder;
  }

  /** Where the learner keeps its checkpoints. */
  Path checkpoints() {
    return folder.resolve("checkpoints");
  }

  /**
   * Makes the folder, and forgets what an earlier run left in it but for its checkpoints: those
   * know themselves whether they are of this run.
   */
  void prepare() throws IOException {
    Files.createDirectories(folder);
    Files.deleteIfExists(folder.resolve(OUTCOME));
    try (DirectoryStream<Path> graphs = Files.newDirectoryStream(folder, GRAPHS)) {
      for (Path graph : graphs) {
        Files.delete(graph);
      }
    }
    Files.deleteIfExists(folder.resolve(PROGRESS));
  }

  void write(RunProgress progress) throws IOException {
    replace(PROGRESS, JSON.writeValueAsBytes(progress.toJson()));
  }

  /** The latest progress; the start where there is none yet. */
  RunProgress progress() throws IOException {
    Path file = folder.resolve(PROGRESS);
    return Files.exists(file)
        ? RunProgress.fromJson(JSON.readTree(file.toFile()))
        : RunProgress.start();
  }

  void write(LearnerOutcome.Trained trained) throws IOException {
    ObjectNode json = JSON.createObjectNode();
    ArrayNode files = json.putArray(FILES);
    for (Map.Entry<String, byte[]> file : trained.files().entrySet()) {
      replace(file.getKey(), file.getValue());
      files.add(file.getKey());
    }
    json.set("data", json(trained.data()));
    ObjectNode metrics = json.putObject("metrics");
    trained.metrics().forEach(metrics::put);
    replace(OUTCOME, JSON.writeValueAsBytes(json));
  }

  void write(LearnerOutcome.Refused refused) throws IOException {
    ObjectNode json = JSON.createObjectNode();
    json.put("refused", refused.kind().name()).put("reason", refused.reason());
    replace(OUTCOME, JSON.writeValueAsBytes(json));
  }

  /** What the learner left behind when it was done. */
  LearnerOutcome outcome() throws IOException {
    JsonNode json = JSON.readTree(folder.resolve(OUTCOME).toFile());
    if (json.has("refused")) {
      return new LearnerOutcome.Refused(
          TrainingFailed.Kind.valueOf(json.get("refused").asText()), json.get("reason").asText());
    }
    Map<String, Double> metrics = new TreeMap<>();
    json.get("metrics")
        .properties()
        .forEach(each -> metrics.put(each.getKey(), each.getValue().asDouble()));
    SortedMap<String, byte[]> files = new TreeMap<>();
    for (JsonNode file : json.get(FILES)) {
      files.put(file.asText(), Files.readAllBytes(folder.resolve(file.asText())));
    }
    return new LearnerOutcome.Trained(files, summary(json.get("data")), metrics);
  }

  private void replace(String name, byte[] bytes) throws IOException {
    Path unfinished = folder.resolve(name + ".part");
    Files.write(unfinished, bytes);
    Files.move(unfinished, folder.resolve(name), REPLACE_EXISTING, ATOMIC_MOVE);
  }

  private static ObjectNode json(DataSummary data) {
    ObjectNode json = JSON.createObjectNode();
    json.put("read", data.read());
    json.put("decisions", data.decisions());
    json.put("rows", data.rows());
    json.put("from", data.from().toString());
    json.put("to", data.to().toString());
    json.put("sha256", data.digest());
    ObjectNode findings = json.putObject("findings");
    data.findings().forEach((finding, count) -> findings.put(finding.name(), count));
    return json;
  }

  private static DataSummary summary(JsonNode json) {
    Map<Finding, Long> findings = new EnumMap<>(Finding.class);
    json.get("findings")
        .properties()
        .forEach(each -> findings.put(Finding.valueOf(each.getKey()), each.getValue().asLong()));
    return new DataSummary(
        json.get("read").asLong(),
        json.get("decisions").asLong(),
        json.get("rows").asLong(),
        Instant.parse(json.get("from").asText()),
        Instant.parse(json.get("to").asText()),
        json.get("sha256").asText(),
        findings);
  }
}
