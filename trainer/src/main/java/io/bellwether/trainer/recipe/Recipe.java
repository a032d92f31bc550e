package io.bellwether.trainer.recipe;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import io.bellwether.trainer.data.ArchiveSource;
import io.bellwether.trainer.data.TransitionSource;
import io.bellwether.trainer.network.HistoryForm;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a version's manifest leaves out of how it was trained: kept as its file {@link #FILE}, so
 * that the version's id and signature cover it. Immutable.
 *
 * @param epochs how often each row was seen
 * @param batchSize rows per step
 * @param historyForm how the networks take in a history; the file says so where it is not the mean
 * @param shared whether learners shared every batch; the file says so where they did
 * @param heldOutShare share of the subjects that was left out
 * @param asOf as of when the data was read; absent for all that was known
 * @param decidedBefore decisions from this time on were left out; absent for none
 * @param codeSha256 what {@link CodeDigest} said; empty where it said nothing
 * @param platform the machine's kind, on which the last bits of a float may depend
 * @param archive the folder that was read; empty where it was no archive
 * @param files of it that were read
 */
public record Recipe(
    double epochs,
    int batchSize,
    HistoryForm historyForm,
    boolean shared,
    double heldOutShare,
    @Nullable Instant asOf,
    @Nullable Instant decidedBefore,
    String codeSha256,
    SortedMap<String, String> platform,
    String archive,
    List<ReadFile> files) {

  /** The path among a version's files. */
  public static final String FILE = "training.json";

  /** The path of the surface's declaration among a version's files. */
  public static final String SURFACE = "surface.yaml";

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);
  private static final int FORMAT = 1;

  public Recipe {
    platform = Collections.unmodifiableSortedMap(new TreeMap<>(platform));
    files = List.copyOf(files);
  }

  /**
   * Of a run that is about to read a source.
   *
   * @param source with its files fixed, where it is an archive
   */
  public static Recipe of(
      double epochs,
      int batchSize,
      HistoryForm historyForm,
      boolean shared,
      double heldOutShare,
      @Nullable Instant asOf,
      @Nullable Instant decidedBefore,
      TransitionSource source)
      throws IOException {
    String archive = "";
    List<ReadFile> files = new ArrayList<>();
    if (source instanceof ArchiveSource listed) {
      archive = listed.root().toString();
      for (Path file : listed.chosen()) {
        files.add(ReadFile.of(listed.root(), file));
      }
    }
    return new Recipe(
        epochs,
        batchSize,
        historyForm,
        shared,
        heldOutShare,
        asOf,
        decidedBefore,
        CodeDigest.current(),
        platformHere(),
        archive,
        files);
  }

  /** This machine's kind. */
  public static SortedMap<String, String> platformHere() {
    SortedMap<String, String> platform = new TreeMap<>();
    platform.put("java", System.getProperty("java.version", ""));
    platform.put("os", System.getProperty("os.name", ""));
    platform.put("architecture", System.getProperty("os.arch", ""));
    return platform;
  }

  /**
   * The recipe of a version; empty where it was published without one, or with one that this
   * release does not read, as a version from elsewhere may have it.
   */
  public static Optional<Recipe> of(PolicyStore store, VersionId version) {
    if (!store.manifest(version).hasFile(FILE)) {
      return Optional.empty();
    }
    try {
      return Optional.of(fromBytes(store.file(version, FILE)));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /**
   * As of when the whole archive has just these rows, if nothing that was known by then came in
   * later: the last of them, and at most as of when they were read. Empty where no file says.
   */
  public Optional<Instant> knownAt() {
    long last = files.stream().mapToLong(ReadFile::knownAtMicros).max().orElse(0);
    if (last == 0) {
      return Optional.ofNullable(asOf);
    }
    Instant known = Instant.EPOCH.plus(last, ChronoUnit.MICROS);
    return Optional.of(asOf != null && asOf.isBefore(known) ? asOf : known);
  }

  /** The file's bytes. */
  public byte[] toBytes() {
    ObjectNode json = JSON.createObjectNode();
    json.put("format", FORMAT);
    json.put("epochs", epochs).put("batchSize", batchSize).put("heldOutShare", heldOutShare);
    if (historyForm != HistoryForm.MEAN) {
      json.put("history", historyForm.word());
    }
    if (shared) {
      json.put("shared", true);
    }
    if (asOf != null) {
      json.put("asOf", asOf.toString());
    }
    if (decidedBefore != null) {
      json.put("decidedBefore", decidedBefore.toString());
    }
    json.put("codeSha256", codeSha256);
    ObjectNode machine = json.putObject("platform");
    platform.forEach(machine::put);
    json.put("archive", archive);
    ArrayNode list = json.putArray("files");
    for (ReadFile file : files) {
      list.addObject()
          .put("path", file.path())
          .put("sha256", file.sha256())
          .put("bytes", file.bytes())
          .put("rows", file.rows())
          .put("knownAtMicros", file.knownAtMicros());
    }
    return json.toPrettyString().getBytes(UTF_8);
  }

  /**
   * Reads what {@link #toBytes} gave.
   *
   * @throws IllegalArgumentException where these are other bytes
   */
  public static Recipe fromBytes(byte[] bytes) {
    JsonNode json;
    try {
      json = JSON.readTree(bytes);
    } catch (IOException e) {
      throw new IllegalArgumentException(FILE + " is not JSON: " + e.getMessage(), e);
    }
    if (json.path("format").asInt() != FORMAT) {
      throw new IllegalArgumentException(
          FILE + " has format " + json.path("format") + ", expected " + FORMAT);
    }
    SortedMap<String, String> platform = new TreeMap<>();
    json.path("platform")
        .properties()
        .forEach(each -> platform.put(each.getKey(), each.getValue().asText()));
    List<ReadFile> files = new ArrayList<>();
    for (JsonNode file : json.path("files")) {
      files.add(
          new ReadFile(
              file.path("path").asText(),
              file.path("sha256").asText(),
              file.path("bytes").asLong(),
              file.path("rows").asLong(),
              file.path("knownAtMicros").asLong()));
    }
    return new Recipe(
        json.path("epochs").asDouble(),
        json.path("batchSize").asInt(),
        HistoryForm.of(json.path("history").asText(HistoryForm.MEAN.word())),
        json.path("shared").asBoolean(),
        json.path("heldOutShare").asDouble(),
        time(json.path("asOf")),
        time(json.path("decidedBefore")),
        json.path("codeSha256").asText(),
        platform,
        json.path("archive").asText(),
        files);
  }

  private static @Nullable Instant time(JsonNode text) {
    return text.isTextual() ? Instant.parse(text.textValue()) : null;
  }
}
