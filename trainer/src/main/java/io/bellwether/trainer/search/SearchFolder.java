package io.bellwether.trainer.search;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a search keeps: {@code search.json}, its plan, and a file for each trial that is finished.
 * Files are written as a whole, so that one that is killed leaves no half of one.
 */
record SearchFolder(Path path) {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String PLAN = "search.json";

  /** The plan of a search that was begun here. */
  Optional<SearchPlan> plan() throws IOException {
    Path file = path.resolve(PLAN);
    return Files.exists(file)
        ? Optional.of(SearchPlan.fromJson(JSON.readTree(file.toFile())))
        : Optional.empty();
  }

  void write(SearchPlan plan) throws IOException {
    Files.createDirectories(path);
    write(PLAN, plan.toJson());
  }

  void write(Trial trial) throws IOException {
    write("trial-" + trial.step().word() + ".json", trial.toJson());
  }

  private void write(String name, JsonNode json) throws IOException {
    Path unfinished = path.resolve(name + ".part");
    JSON.writerWithDefaultPrettyPrinter().writeValue(unfinished.toFile(), json);
    Files.move(unfinished, path.resolve(name), REPLACE_EXISTING, ATOMIC_MOVE);
  }

  /** Those that are finished. */
  SortedMap<Step, Trial> trials() throws IOException {
    SortedMap<Step, Trial> trials = new TreeMap<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(path, "trial-*.json")) {
      for (Path file : files) {
        Trial trial = Trial.fromJson(JSON.readTree(file.toFile()));
        trials.put(trial.step(), trial);
      }
    }
    return trials;
  }

  /** Where a trial is trained; what was interrupted goes on there. */
  Path run(Step step) {
    return path.resolve("run-" + step.word());
  }

  /** Where the trained policies are, which nobody serves. */
  Path store() {
    return path.resolve("store");
  }

  /** Where evaluations keep what they have finished. */
  Path evaluations() {
    return path.resolve("evaluations");
  }
}
