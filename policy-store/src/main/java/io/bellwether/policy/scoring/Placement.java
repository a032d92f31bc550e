package io.bellwether.policy.scoring;

import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.bellwether.policy.schema.FeatureSchema;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where the nodes of a graph really ran, as ONNX Runtime's own profile of a few runs tells it.
 * Immutable.
 *
 * @param byProvider what each execution provider ran, by its name
 */
public record Placement(SortedMap<String, Ran> byProvider) {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String KERNEL = "_kernel_time";
  private static final int REQUESTS = 4;
  private static final int CANDIDATES = 32;

  /** In these the time of a policy graph goes; where they run, it runs. */
  private static final Set<String> PRODUCTS =
      Set.of("MatMul", "Gemm", "FusedMatMul", "FusedGemm", "MatMulInteger", "MatMulIntegerToFloat");

  /**
   * What one execution provider ran.
   *
   * @param nodes how many nodes of the graph, after the optimiser
   * @param products how many of them multiply matrices
   * @param micros what all of them took in one run of the profile
   */
  public record Ran(int nodes, int products, long micros) {

    private static final Ran NOTHING = new Ran(0, 0, 0);

    private Ran with(boolean product, long micros) {
      return new Ran(nodes + 1, products + (product ? 1 : 0), this.micros + micros);
    }
  }

  public Placement {
    byProvider = Collections.unmodifiableSortedMap(new TreeMap<>(byProvider));
  }

  /**
   * Opens a graph once more on a device, runs it under the profiler and closes it.
   *
   * @throws ScoringException where it cannot be opened or run there
   */
  public static Placement measure(byte[] graph, FeatureSchema schema, Device device) {
    Path folder = temporaryFolder();
    try {
      return read(profile(graph, schema, device, folder));
    } catch (OrtException e) {
      throw new ScoringException("cannot profile a graph on " + device, e);
    } finally {
      delete(folder);
    }
  }

  /**
   * Whether matrices were multiplied elsewhere than on this device, or nothing ran on it at all.
   * Nodes that only reckon shapes stay on the processor on purpose, and do not count.
   */
  public boolean strayedFrom(Device device) {
    Ran ran = byProvider.get(device.provider());
    return ran == null
        || byProvider.entrySet().stream()
            .anyMatch(
                other ->
                    !other.getKey().equals(device.provider()) && other.getValue().products() > 0);
  }

  /** In words, such as {@code CPUExecutionProvider 14 nodes (3 products)}. */
  @Override
  public String toString() {
    return byProvider.entrySet().stream()
        .map(
            entry ->
                String.format(
                    Locale.ROOT,
                    "%s %d nodes (%d products)",
                    entry.getKey(),
                    entry.getValue().nodes(),
                    entry.getValue().products()))
        .collect(Collectors.joining(", "));
  }

  private static Path profile(byte[] graph, FeatureSchema schema, Device device, Path folder)
      throws OrtException {
    try (OrtSession.SessionOptions options = device.options()) {
      options.enableProfiling(folder.resolve("placement").toString());
      try (Scorer scorer = Scorer.open(graph, schema, options)) {
        ScoringBatch batch = new ScoringBatch(schema);
        for (int request = 0; request < REQUESTS; request++) {
          batch.add(
              new float[schema.contextWidth()],
              new float[schema.historySize()],
              new float[CANDIDATES * schema.itemWidth()]);
        }
        scorer.score(batch);
        return scorer.endProfile();
      }
    }
  }

  static Placement read(Path profile) {
    SortedMap<String, Ran> byProvider = new TreeMap<>();
    Set<String> seen = new HashSet<>();
    for (JsonNode event : events(profile)) {
      String name = event.path("name").asText();
      JsonNode arguments = event.path("args");
      String provider = arguments.path("provider").asText();
      if (name.endsWith(KERNEL) && !provider.isEmpty() && seen.add(name)) {
        boolean product = PRODUCTS.contains(arguments.path("op_name").asText());
        Ran before = byProvider.getOrDefault(provider, Ran.NOTHING);
        byProvider.put(provider, before.with(product, event.path("dur").asLong()));
      }
    }
    return new Placement(byProvider);
  }

  private static JsonNode events(Path profile) {
    try {
      return JSON.readTree(profile.toFile());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the profile of a graph", e);
    }
  }

  private static Path temporaryFolder() {
    try {
      return Files.createTempDirectory("bellwether-placement");
    } catch (IOException e) {
      throw new UncheckedIOException("cannot profile a graph: no temporary folder", e);
    }
  }

  private static void delete(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete " + folder, e);
    }
  }
}
