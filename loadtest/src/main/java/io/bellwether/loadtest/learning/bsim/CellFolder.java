package io.bellwether.loadtest.learning.bsim;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.loadtest.people.Estimate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Cells that are done, a JSON file each, so that a run that was cut off goes on where it was.
 *
 * <p>A file counts only for the code that made it and for exactly the same cell, algorithm and plan
 * included. Files are whole or not there. Thread-safe for different cells.
 */
public final class CellFolder {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final int KEY_LENGTH = 16;

  private final Path folder;
  private final String code;

  /**
   * Makes the folder where it is not there.
   *
   * @param code names the version of the code that trains
   */
  public CellFolder(Path folder, String code) {
    this.folder = folder;
    this.code = code;
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make the folder " + folder, e);
    }
  }

  /** What was kept of a cell; empty where it has to be run. */
  public Optional<CellResult> find(SimulatedCell cell) {
    Path file = file(cell);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      JsonNode json = MAPPER.readTree(file.toFile());
      return Optional.of(
          json.has("failed")
              ? new CellResult.Failed(cell, json.get("failed").asText())
              : new CellResult.Measured(cell, outcome(json)));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the cell " + file, e);
    }
  }

  /** Keeps a cell. */
  public void keep(CellResult result) {
    SimulatedCell cell = result.cell();
    ObjectNode json = MAPPER.createObjectNode();
    json.put("code", code)
        .put("task", cell.task().name())
        .put("method", cell.method().name())
        .put("seed", cell.seed())
        .put("algorithm", cell.method().algorithm().get().toString())
        .put("plan", cell.plan().toString())
        .put("sessions", cell.effort().sessions());
    if (result instanceof CellResult.Measured measured) {
      write(json, measured.outcome());
    } else if (result instanceof CellResult.Failed failed) {
      json.put("failed", failed.reason());
    }
    Path file = file(cell);
    try {
      Path draft = file.resolveSibling(file.getFileName() + ".new");
      MAPPER.writerWithDefaultPrettyPrinter().writeValue(draft.toFile(), json);
      Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot keep the cell " + file, e);
    }
  }

  private Path file(SimulatedCell cell) {
    String all =
        String.join(
            "\n",
            code,
            cell.words(),
            cell.method().algorithm().get().toString(),
            cell.plan().toString(),
            cell.effort().toString());
    return folder.resolve(
        "%s-%s-%d-%s.json"
            .formatted(cell.task().name(), cell.method().name(), cell.seed(), digest(all)));
  }

  private static String digest(String text) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
      return HexFormat.of().formatHex(hash).substring(0, KEY_LENGTH);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  private static void write(ObjectNode json, SimulatedCell.Outcome outcome) {
    write(json.putObject("validation"), outcome.validation());
    write(json.putObject("test"), outcome.test());
    json.put("divergence", outcome.divergence()).put("seconds", outcome.trainingSeconds());
  }

  private static void write(ObjectNode json, Ratios ratios) {
    for (int i = 0; i < ratios.signals().size(); i++) {
      Estimate ratio = ratios.signals().get(i);
      ArrayNode pair = json.putArray(SimulatedFeatures.word(SimulatedFeatures.SIGNALS.get(i)));
      pair.add(ratio.mean()).add(ratio.standardError());
    }
    json.put("length", ratios.length())
        .put("worst_hate", ratios.worstHate())
        .put("score", ratios.score());
  }

  private static SimulatedCell.Outcome outcome(JsonNode json) {
    return new SimulatedCell.Outcome(
        ratios(json.get("validation")),
        ratios(json.get("test")),
        json.get("divergence").asDouble(),
        json.get("seconds").asDouble());
  }

  private static Ratios ratios(JsonNode json) {
    List<Estimate> signals = new ArrayList<>();
    SimulatedFeatures.SIGNALS.forEach(
        signal -> {
          JsonNode pair = json.get(SimulatedFeatures.word(signal));
          signals.add(new Estimate(pair.get(0).asDouble(), pair.get(1).asDouble()));
        });
    return new Ratios(signals, json.get("length").asDouble(), json.get("worst_hate").asDouble());
  }
}
