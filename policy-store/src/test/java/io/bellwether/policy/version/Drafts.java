package io.bellwether.policy.version;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bellwether.policy.scoring.Exploration;
import io.bellwether.policy.scoring.PolicyGraphs;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Manifests and files of small real policies for tests. */
public final class Drafts {

  private Drafts() {}

  public static PolicyManifest manifest(String name, long seed) {
    return new PolicyManifest(
        name,
        PolicyManifest.ONNX,
        "trainer",
        Instant.parse("2026-11-30T08:00:00Z"),
        "5eed",
        PolicyGraphs.SCHEMA,
        "behaviour-cloning",
        seed,
        new TrainingData(
            "archive/home-feed",
            Instant.parse("2026-11-29T00:00:00Z"),
            Instant.parse("2026-11-30T00:00:00Z"),
            1000,
            "da7a"),
        "0.1.0",
        null,
        new Exploration(1, 0.02, 1e-4),
        Map.of("loss", 0.25, "accuracy", 0.5),
        List.of());
  }

  public static Map<String, byte[]> files(long seed) {
    return Map.of(
        PolicyManifest.GRAPH,
        PolicyGraphs.graph(PolicyGraphs.SCHEMA, seed),
        "MODEL_CARD.md",
        "# A small policy".getBytes(UTF_8));
  }

  public static VersionId publish(PolicyStore store, String name, long seed) {
    return store.publish(manifest(name, seed), files(seed)).id();
  }

  /** Publishes a version and attaches the verdict {@code pass}. */
  public static VersionId publishPassed(PolicyStore store, String name, long seed) {
    VersionId id = publish(store, name, seed);
    store.attach(id, EvidenceKind.VERDICT, "{\"verdict\":\"pass\"}".getBytes(UTF_8), "gate");
    return id;
  }
}
