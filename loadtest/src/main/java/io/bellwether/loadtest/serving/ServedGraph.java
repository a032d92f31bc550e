package io.bellwether.loadtest.serving;

import io.bellwether.ingestion.feature.FeatureLayout;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.policy.scoring.CounterRandom;
import io.bellwether.policy.scoring.RetrievalTowers;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * A graph of a known size with random weights, which nobody trained: what is measured is how long
 * it takes.
 */
enum ServedGraph {
  /** One weight per context and item column. */
  LINEAR {
    @Override
    Tensor score(Network network) {
      return network
          .items
          .matMul(network.weight("item", network.items.shape().width(), 1))
          .add(
              network.perItem(
                  network.context.matMul(network.weight("context", network.contextWidth, 1))));
    }
  },

  /** Context and item into 256, 256, and one number. */
  MLP {
    @Override
    Tensor score(Network network) {
      return network.towers(network.context, network.contextWidth);
    }
  },

  /**
   * The same over the context beside the last state of a GRU that reads the history, oldest first.
   */
  GRU {
    @Override
    Tensor score(Network network) {
      Tensor state = Tensor.concat(1, List.of(network.context, network.lastState()));
      return network.towers(state, network.contextWidth + STATE);
    }
  },

  /** Two towers that meet in an inner product, so that the same towers retrieve exactly. */
  TOWERS {
    @Override
    Tensor score(Network network) {
      return network.perItem(network.query()).mul(network.embedding()).sum(-1);
    }
  };

  private static final int TOWER = 64;
  private static final int EMBEDDING = 32;
  private static final int HIDDEN = 256;
  private static final int STATE = 64;

  /** The logit of each candidate, {@code [N, 1]}. */
  abstract Tensor score(Network network);

  /** The graph's file; equal seeds give equal bytes. */
  byte[] model(Surface surface, long seed) {
    Network network = new Network(FeatureLayout.of(surface), seed, true);
    Tensor score = score(network);
    network.graph.output("logits", score.reshape(Shape.of(network.candidates)));
    int signals = surface.signals().size();
    network.graph.output(
        "values", score.mul(network.graph.constant(new float[signals], Shape.of(1, signals))));
    return network.graph.toModel("policy", metadata(surface));
  }

  /** The same towers by themselves, from which an index is made. */
  private byte[] retrieval(Surface surface, long seed) {
    Network network = new Network(FeatureLayout.of(surface), seed, false);
    network.graph.output(RetrievalTowers.QUERY, network.query());
    network.graph.output(RetrievalTowers.EMBEDDING, network.embedding());
    return network.graph.toModel("retrieval", metadata(surface));
  }

  private TreeMap<String, String> metadata(Surface surface) {
    TreeMap<String, String> metadata = new TreeMap<>();
    metadata.put("bellwether.surface", surface.name());
    metadata.put("bellwether.feature_schema_sha256", SurfaceSchema.policy(surface).digest());
    metadata.put("bellwether.algorithm", algorithm());
    return metadata;
  }

  /** Publishes the graph as a version of its surface's policy; it has no verdict. */
  VersionId publish(Surface surface, long seed, PolicyStore store, Clock clock) {
    Instant now = clock.instant();
    PolicyManifest manifest =
        new PolicyManifest(
            surface.name(),
            PolicyManifest.ONNX,
            "bench",
            now,
            surface.digest(),
            SurfaceSchema.policy(surface),
            algorithm(),
            seed,
            new TrainingData("none: of random weights", now, now, 0, ""),
            "bench",
            null,
            null,
            Map.of(),
            List.of());
    Map<String, byte[]> files = new TreeMap<>();
    files.put(PolicyManifest.GRAPH, model(surface, seed));
    if (this == TOWERS) {
      files.put(RetrievalTowers.FILE, retrieval(surface, seed));
    }
    return store.publish(manifest, files).id();
  }

  private String algorithm() {
    return "bench-" + name().toLowerCase(Locale.ROOT);
  }

  /** A graph while it is drawn up. */
  static final class Network {
    private final Graph graph = new Graph();
    private final FeatureLayout layout;
    private final long seed;
    private final long candidates;
    private final Tensor context;
    private final int contextWidth;
    private final Tensor history;
    private final Tensor items;
    private final Tensor request;
    private int weights;

    /**
     * @param candidatesOfRequests whether each candidate says whose it is
     */
    Network(FeatureLayout layout, long seed, boolean candidatesOfRequests) {
      this.layout = layout;
      this.seed = seed;
      long requests = graph.symbol("R");
      candidates = graph.symbol("N");
      contextWidth = layout.contextWidth();
      context = graph.input("context", ElementType.FLOAT, Shape.of(requests, contextWidth));
      history =
          layout.historyLength() == 0
              ? context
              : graph.input(
                  "history",
                  ElementType.FLOAT,
                  Shape.of(requests, layout.historyLength(), layout.historyWidth()));
      items = graph.input("items", ElementType.FLOAT, Shape.of(candidates, layout.itemWidth()));
      request =
          candidatesOfRequests
              ? graph.input("request", ElementType.INT64, Shape.of(candidates))
              : items;
    }

    /** Rows of requests as rows of candidates. */
    private Tensor perItem(Tensor rows) {
      return rows.gatherRows(request);
    }

    /** The first layer's share of the state is worked out once per request. */
    private Tensor towers(Tensor state, int width) {
      Tensor first =
          perItem(state.affine(weight("state", width, HIDDEN), bias("first", HIDDEN)))
              .add(items.matMul(weight("item", layout.itemWidth(), HIDDEN)))
              .relu();
      return first
          .affine(weight("second", HIDDEN, HIDDEN), bias("second", HIDDEN))
          .relu()
          .affine(weight("third", HIDDEN, 1), bias("third", 1));
    }

    private Tensor query() {
      return tower("query", context, contextWidth);
    }

    private Tensor embedding() {
      return tower("embedding", items, layout.itemWidth());
    }

    private Tensor tower(String name, Tensor rows, int width) {
      return rows.affine(weight(name + ".first", width, TOWER), bias(name + ".first", TOWER))
          .relu()
          .affine(weight(name + ".second", TOWER, EMBEDDING), bias(name + ".second", EMBEDDING));
    }

    /** Cho et al. 2014; rows of padding are zeros and move the state like any other. */
    private Tensor lastState() {
      int rowWidth = layout.historyWidth();
      int length = layout.historyLength();
      Tensor input = weight("input", rowWidth, 3 * STATE);
      Tensor gates = weight("gates", STATE, 2 * STATE);
      Tensor fresh = weight("fresh", STATE, STATE);
      Tensor bias = bias("rows", 3 * STATE);
      long requests = context.shape().dimension(0);
      Tensor state =
          context.matMul(
              graph.constant(new float[contextWidth * STATE], Shape.of(contextWidth, STATE)));
      List<Tensor> rows = new ArrayList<>();
      for (int row = 0; row < length; row++) {
        rows.add(history.slice(1, row, row + 1).reshape(requests, rowWidth).affine(input, bias));
      }
      for (Tensor row : rows) {
        Tensor both = row.slice(1, 0, 2 * STATE).add(state.matMul(gates)).sigmoid();
        Tensor update = both.slice(1, 0, STATE);
        Tensor reset = both.slice(1, STATE, 2 * STATE);
        Tensor next = row.slice(1, 2 * STATE, 3 * STATE).add(reset.mul(state).matMul(fresh)).tanh();
        state = next.add(update.mul(state.sub(next)));
      }
      return state;
    }

    private Tensor weight(String name, long rows, long columns) {
      return random(name + ".weight", rows, columns, 1 / Math.sqrt(rows));
    }

    private Tensor bias(String name, int width) {
      return graph.constant(name + ".bias", new float[width], Shape.of(width));
    }

    private Tensor random(String name, long rows, long columns, double scale) {
      float[] values = new float[Math.toIntExact(rows * columns)];
      int tag = weights++;
      for (int i = 0; i < values.length; i++) {
        values[i] = (float) (scale * CounterRandom.normal(seed, tag, i, 0, 0));
      }
      return graph.constant(name, values, Shape.of(rows, columns));
    }
  }
}
