package io.bellwether.loadtest.experiment;

import io.bellwether.ingestion.feature.Column;
import io.bellwether.ingestion.feature.FeatureLayout;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.loadtest.people.LinearPolicy.Weights;
import io.bellwether.policy.scoring.CounterRandom;
import io.bellwether.policy.version.PolicyManifest;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.TrainingData;
import io.bellwether.policy.version.VersionId;
import io.bellwether.trainer.data.SurfaceSchema;
import io.bellwether.trainer.graph.ElementType;
import io.bellwether.trainer.graph.Graph;
import io.bellwether.trainer.graph.Shape;
import io.bellwether.trainer.graph.Tensor;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The graph of a {@link PlantedPolicy} for a surface that declares the simulated features. */
final class PlantedGraph {
  /** With twenty candidates some 150 ms: three times as long as an answer may take. */
  private static final int SLOW_WIDTH = 1024;

  private static final int SLOW_LAYERS = 360;

  private final FeatureLayout layout;
  private final Surface surface;
  private final PlantedPolicy policy;
  private final Graph graph = new Graph();

  private PlantedGraph(Surface surface, PlantedPolicy policy) {
    this.surface = surface;
    this.layout = FeatureLayout.of(surface);
    this.policy = policy;
  }

  /** Publishes the policy as a version of its surface's policy; it has no verdict. */
  static VersionId publish(Surface surface, PlantedPolicy policy, PolicyStore store, Clock clock) {
    TreeMap<String, String> metadata = new TreeMap<>();
    metadata.put("bellwether.surface", surface.name());
    metadata.put("bellwether.feature_schema_sha256", SurfaceSchema.policy(surface).digest());
    metadata.put("bellwether.algorithm", "planted-" + policy.word());
    Instant now = clock.instant();
    PolicyManifest manifest =
        new PolicyManifest(
            surface.name(),
            PolicyManifest.ONNX,
            "bench",
            now,
            surface.digest(),
            SurfaceSchema.policy(surface),
            "planted-" + policy.word(),
            0,
            new TrainingData("none: planted", now, now, 0, ""),
            "bench",
            null,
            null,
            Map.of(),
            List.of());
    byte[] bytes = new PlantedGraph(surface, policy).model(metadata);
    return store.publish(manifest, Map.of(PolicyManifest.GRAPH, bytes)).id();
  }

  private byte[] model(TreeMap<String, String> metadata) {
    long requests = graph.symbol("R");
    long candidates = graph.symbol("N");
    Tensor context =
        graph.input("context", ElementType.FLOAT, Shape.of(requests, layout.contextWidth()));
    if (layout.historyLength() > 0) {
      graph.input(
          "history",
          ElementType.FLOAT,
          Shape.of(requests, layout.historyLength(), layout.historyWidth()));
    }
    Tensor items =
        graph.input("items", ElementType.FLOAT, Shape.of(candidates, layout.itemWidth()));
    Tensor request = graph.input("request", ElementType.INT64, Shape.of(candidates));

    Tensor score = ranking(context.gatherRows(request), items);
    score =
        switch (policy.fault()) {
          case NONE -> score;
          case SLOW -> score.add(nothingSlowly(items));
          case NOT_FINITE -> score.add(item(items, "quality").sqrt());
        };
    graph.output("logits", score.reshape(Shape.of(candidates)));
    int signals = surface.signals().size();
    graph.output("values", score.mul(graph.constant(new float[signals], Shape.of(1, signals))));
    return graph.toModel("policy", metadata);
  }

  private Tensor ranking(Tensor context, Tensor items) {
    Weights weights = policy.weights();
    int taste = column(layout.context(), "taste:0");
    int topic = column(layout.item(), "topic:0");
    int size = vectorSize(layout.item(), "topic");
    Tensor match =
        context.slice(1, taste, taste + size).mul(items.slice(1, topic, topic + size)).sum(-1);
    Tensor score =
        match
            .mul((float) weights.match())
            .add(item(items, "quality").mul((float) weights.quality()))
            .add(item(items, "log_duration").mul((float) weights.logDuration()));
    return score.div(graph.constant((float) policy.temperature()));
  }

  /** Zeros that take their time, {@code [N, 1]}. */
  private Tensor nothingSlowly(Tensor items) {
    float[] weights = new float[SLOW_WIDTH * SLOW_WIDTH];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = (float) (0.05 * CounterRandom.normal(1, 80, i, 0, 0));
    }
    Tensor square = graph.constant("slow.weight", weights, Shape.of(SLOW_WIDTH, SLOW_WIDTH));
    float[] ones = new float[layout.itemWidth() * SLOW_WIDTH];
    Arrays.fill(ones, 0.01f);
    Tensor wide = items.matMul(graph.constant(ones, Shape.of(layout.itemWidth(), SLOW_WIDTH)));
    for (int layer = 0; layer < SLOW_LAYERS; layer++) {
      wide = wide.matMul(square).tanh();
    }
    // A thousandth of a millionth: the ranking is the product's own.
    return wide.mean(-1).mul(1e-9f);
  }

  private Tensor item(Tensor items, String name) {
    int at = column(layout.item(), name);
    return items.slice(1, at, at + 1);
  }

  private static int vectorSize(List<Column> columns, String vector) {
    return (int) columns.stream().filter(each -> each.name().startsWith(vector + ":")).count();
  }

  private static int column(List<Column> columns, String name) {
    for (int at = 0; at < columns.size(); at++) {
      if (columns.get(at).name().equals(name)) {
        return at;
      }
    }
    throw new IllegalArgumentException("the surface declares no " + name);
  }
}
