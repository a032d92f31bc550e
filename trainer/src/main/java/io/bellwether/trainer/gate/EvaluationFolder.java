package io.bellwether.trainer.gate;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.bellwether.trainer.survey.SurveyFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The folder of one evaluation, in which its tasks and its client meet, and in which a later run of
 * the same evaluation finds what an earlier one has finished. A stage is finished where its JSON
 * file stands, which is written last and as a whole.
 *
 * <ul>
 *   <li>{@link SurveyFiles}
 *   <li>{@code models.json} with {@code model-0.onnx}, ...
 *   <li>{@code scored.json} with {@code support.bin} and the folder {@code columns}
 * </ul>
 *
 * @param path of the folder
 */
record EvaluationFolder(Path path) {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String MODELS = "models.json";
  private static final String SCORED = "scored.json";

  SurveyFiles survey() {
    return new SurveyFiles(path);
  }

  Path columns() {
    return path.resolve("columns");
  }

  Path support() {
    return path.resolve("support.bin");
  }

  /** For what tasks spill to disk. */
  Path spill() {
    return path.resolve("spill");
  }

  void write(RewardModels models) throws IOException {
    for (int fold = 0; fold < models.graphs().size(); fold++) {
      Files.write(model(fold), models.graphs().get(fold));
    }
    replace(MODELS, JSON.writeValueAsBytes(models.toJson()));
  }

  /** Empty where the stage is not finished. */
  Optional<RewardModels> models() throws IOException {
    Optional<JsonNode> json = json(MODELS);
    if (json.isEmpty()) {
      return Optional.empty();
    }
    List<byte[]> graphs = new ArrayList<>();
    for (int fold = 0; fold < RewardModels.folds(json.get()); fold++) {
      graphs.add(Files.readAllBytes(model(fold)));
    }
    return Optional.of(RewardModels.fromJson(json.get(), graphs));
  }

  private Path model(int fold) {
    return path.resolve("model-" + fold + ".onnx");
  }

  /** Says that all columns and the support are there. */
  void finishScoring() throws IOException {
    replace(SCORED, JSON.writeValueAsBytes(JSON.createObjectNode().put("finished", true)));
  }

  boolean isScored() {
    return Files.exists(path.resolve(SCORED));
  }

  private Optional<JsonNode> json(String name) throws IOException {
    Path file = path.resolve(name);
    return Files.exists(file) ? Optional.of(JSON.readTree(file.toFile())) : Optional.empty();
  }

  private void replace(String name, byte[] bytes) throws IOException {
    Path unfinished = path.resolve(name + ".part");
    Files.write(unfinished, bytes);
    Files.move(unfinished, path.resolve(name), REPLACE_EXISTING, ATOMIC_MOVE);
  }
}
