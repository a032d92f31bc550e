package io.bellwether.policy.version;

import io.bellwether.policy.schema.FeatureSchema;
import io.bellwether.policy.scoring.Exploration;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a policy version is: where it came from, what it takes and gives, and the files that it is
 * made of. Immutable. Its canonical bytes (JSON with sorted keys and no blanks) name the version;
 * evidence is kept beside it and changes nothing here.
 *
 * @param name of the policy, equal to its surface's
 * @param kind how it is run: {@code onnx}
 * @param createdBy who or what trained it
 * @param createdAt for people to read; nothing is ordered by it
 * @param surfaceDigest SHA-256 of the surface file that it was trained for
 * @param features what its graph takes and gives
 * @param algorithm that trained it, such as {@code behaviour-cloning}
 * @param seed of the training run
 * @param data that it was trained on
 * @param codeVersion of the trainer
 * @param parent the version that it was trained from or compared with; absent for a first one
 * @param exploration for which its numbers were computed, absent where the surface's own holds
 * @param metrics of the training run, finite, by name
 * @param files sorted by path; {@link #GRAPH} is among them
 */
public record PolicyManifest(
    String name,
    String kind,
    String createdBy,
    Instant createdAt,
    String surfaceDigest,
    FeatureSchema features,
    String algorithm,
    long seed,
    TrainingData data,
    String codeVersion,
    @Nullable VersionId parent,
    @Nullable Exploration exploration,
    Map<String, Double> metrics,
    List<PolicyFile> files) {

  /** The path of the graph among the files. */
  public static final String GRAPH = "model.onnx";

  /** The path of the graph's 8-bit form, where there is one. */
  public static final String INT8_GRAPH = "model.int8.onnx";

  /** The path of the graph without the hidden units that matter least, where there is one. */
  public static final String PRUNED_GRAPH = "model.pruned.onnx";

  /** The paths of the forms that may stand in for the graph. */
  public static final List<String> SMALLER_GRAPHS = List.of(INT8_GRAPH, PRUNED_GRAPH);

  /** The only kind there is. */
  public static final String ONNX = "onnx";

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");

  public PolicyManifest {
    checkName(name);
    if (!kind.equals(ONNX)) {
      throw new IllegalArgumentException("kind is '" + kind + "', expected '" + ONNX + "'");
    }
    SortedMap<String, Double> sorted = new TreeMap<>(metrics);
    sorted.forEach(
        (metric, value) -> {
          if (!Double.isFinite(value)) {
            throw new IllegalArgumentException("metric " + metric + " is " + value);
          }
        });
    metrics = Collections.unmodifiableSortedMap(sorted);
    files = files.stream().sorted(Comparator.comparing(PolicyFile::path)).toList();
    for (int i = 1; i < files.size(); i++) {
      if (files.get(i).path().equals(files.get(i - 1).path())) {
        throw new IllegalArgumentException("file " + files.get(i).path() + " is listed twice");
      }
    }
  }

  /** The same manifest with these files. */
  public PolicyManifest withFiles(List<PolicyFile> files) {
    return new PolicyManifest(
        name,
        kind,
        createdBy,
        createdAt,
        surfaceDigest,
        features,
        algorithm,
        seed,
        data,
        codeVersion,
        parent,
        exploration,
        metrics,
        files);
  }

  /** Whether there is a file of this path. */
  public boolean hasFile(String path) {
    return files.stream().anyMatch(file -> file.path().equals(path));
  }

  /** The bytes whose hash names the version. */
  public byte[] canonicalBytes() {
    return CanonicalJson.write(this);
  }

  /** Reads what {@link #canonicalBytes} gave; fields that a later release added are ignored. */
  public static PolicyManifest fromBytes(byte[] bytes) {
    return CanonicalJson.read(bytes, PolicyManifest.class);
  }

  /** Refuses a name that could not be a folder's. */
  static String checkName(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "'%s' is not a policy name, expected it to match %s".formatted(name, NAME));
    }
    return name;
  }
}
