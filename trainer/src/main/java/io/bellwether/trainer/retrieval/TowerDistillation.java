package io.bellwether.trainer.retrieval;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.policy.scoring.CounterRandom;
import io.bellwether.policy.scoring.RetrievalTowers;
import io.bellwether.policy.scoring.Scorer;
import io.bellwether.policy.scoring.ScoringBatch;
import io.bellwether.trainer.algorithm.LearnerData;
import io.bellwether.trainer.algorithm.TrainedPolicy;
import io.bellwether.trainer.graph.TrainingSession;
import io.bellwether.trainer.network.LossDescent;
import io.bellwether.trainer.network.NetworkConfig;
import io.bellwether.trainer.network.NetworkSchema;
import io.bellwether.trainer.network.Parameters;
import io.bellwether.trainer.network.RetrievalNetwork;
import io.bellwether.trainer.network.StateRows;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * Distils an actor into two towers: states of the log are paired with items of the whole log, not
 * only with their own candidates, the exported actor scores the pairs, and the towers learn its
 * order. Of every eight states one is kept apart, to measure on. The same data and seed give the
 * same bytes. Stateless; holds a batch and the distinct items in memory.
 */
public final class TowerDistillation {

  private static final long TAG = 921;
  private static final int STATE_DRAW = 0;
  private static final int ITEM_DRAW = 1;

  private static final int STATES = 32;
  private static final int ITEMS_PER_STATE = 64;
  private static final int STEPS = 800;
  private static final double RATE = 2e-3;

  /** The rate falls linearly to this share of it. */
  private static final double LAST_RATE = 0.05;

  /** Every state whose row id is a multiple is kept apart. */
  private static final int KEPT_APART = 8;

  private static final int MOST_ITEMS = 20_000;
  private static final int MEASURED_STATES = 40;
  private static final int MEASURED_ITEMS = 1000;
  private static final int MEASURED_BEST = 100;

  private final NetworkSchema schema;
  private final LearnerData data;
  private final Scorer actor;
  private final long seed;
  private final int[] training;
  private final int[] measured;

  /** Distinct items of the log, {@code items[item * width + column]}. */
  private final float[] items;

  private final int itemCount;

  private TowerDistillation(NetworkSchema schema, LearnerData data, Scorer actor, long seed) {
    this.schema = schema;
    this.data = data;
    this.actor = actor;
    this.seed = seed;
    List<Integer> apart = new ArrayList<>();
    List<Integer> rest = new ArrayList<>();
    for (int row = 0; row < data.rows(); row++) {
      boolean kept =
          Math.floorMod(CounterRandom.hash(seed, TAG, data.rowId()[row], 2, 0), KEPT_APART) == 0;
      (kept ? apart : rest).add(row);
    }
    // Of a handful of rows all may fall on one side.
    training = ints(rest.isEmpty() ? apart : rest);
    measured = ints(apart.isEmpty() ? rest : apart);
    items = distinctItems();
    itemCount = items.length / schema.item().size();
  }

  /**
   * Trains towers for an actor.
   *
   * @param policy with an actor
   * @param actor the same, exported and open
   * @param embedding floats of a query and an embedding
   * @param metadata written into the graph
   */
  public static DistilledTowers distil(
      TrainedPolicy policy,
      Scorer actor,
      LearnerData data,
      int embedding,
      long seed,
      SortedMap<String, String> metadata) {
    return distil(policy, actor, data, embedding, seed, metadata, STEPS);
  }

  static DistilledTowers distil(
      TrainedPolicy policy,
      Scorer actor,
      LearnerData data,
      int embedding,
      long seed,
      SortedMap<String, String> metadata,
      int steps) {
    NetworkConfig config = policy.networks().config();
    NetworkSchema schema = policy.networks().schema();
    RetrievalNetwork network =
        new RetrievalNetwork(
            schema, config.withEmbedding(embedding), policy.networks().normalisation());
    TowerDistillation distillation = new TowerDistillation(schema, data, actor, seed);
    Map<String, Double> metrics = new HashMap<>();
    Parameters trained =
        distillation.train(network, network.initial(seed, policy.actor()), steps, metrics);
    byte[] graph = new TowerGraph(schema, network).export(trained, metadata);
    try (RetrievalTowers towers = RetrievalTowers.open(graph, actor.schema())) {
      distillation.measure(towers, metrics);
    }
    return new DistilledTowers(graph, metrics);
  }

  private Parameters train(
      RetrievalNetwork network, Parameters first, int steps, Map<String, Double> metrics) {
    TowerGraph graph = new TowerGraph(schema, network);
    Batch batch = new Batch();
    batch.fill(0);
    try (LossDescent descent =
        graph.training(
            OrtEnvironment.getEnvironment(), STATES, ITEMS_PER_STATE, deviation(batch.scores()))) {
      descent.begin(first);
      double lastLosses = 0;
      int last = Math.max(1, steps / 10);
      for (int step = 1; step <= steps; step++) {
        batch.fill(step);
        batch.feed(descent.inputs());
        double progress = (double) (step - 1) / steps;
        float loss = descent.step(RATE * (1 - (1 - LAST_RATE) * progress));
        lastLosses += step > steps - last ? loss / last : 0;
      }
      metrics.put("retrieval.loss", lastLosses);
      return descent.weights();
    }
  }

  /** Standard deviation of scores inside their states; 1 for an actor that prefers nothing. */
  private static float deviation(float[] scores) {
    double squares = 0;
    for (int from = 0; from < scores.length; from += ITEMS_PER_STATE) {
      double mean = 0;
      for (int i = from; i < from + ITEMS_PER_STATE; i++) {
        mean += scores[i] / ITEMS_PER_STATE;
      }
      for (int i = from; i < from + ITEMS_PER_STATE; i++) {
        squares += (scores[i] - mean) * (scores[i] - mean);
      }
    }
    double deviation = Math.sqrt(squares / scores.length);
    return deviation > 1e-6 ? (float) deviation : 1;
  }

  /** States with items of their own and the actor's scores of them. */
  private final class Batch {

    private final int[] rows = new int[STATES];
    private final float[] drawn = new float[STATES * ITEMS_PER_STATE * schema.item().size()];
    private final ScoringBatch scoring = new ScoringBatch(actor.schema());
    private float[] scores = new float[0];

    void fill(int step) {
      int width = schema.item().size();
      scoring.clear();
      for (int i = 0; i < STATES; i++) {
        rows[i] = training[drawn(training.length, STATE_DRAW, step, i)];
        scoring.beginRequest(context(rows[i]), history(rows[i]));
        for (int j = i * ITEMS_PER_STATE; j < (i + 1) * ITEMS_PER_STATE; j++) {
          int item = drawn(itemCount, ITEM_DRAW, step, j);
          System.arraycopy(items, item * width, drawn, j * width, width);
          scoring.addCandidate(drawn, j * width);
        }
      }
      scores = Arrays.copyOf(actor.score(scoring).logits(), STATES * ITEMS_PER_STATE);
    }

    float[] scores() {
      return scores;
    }

    void feed(TrainingSession session) {
      FloatBuffer context = session.floats(StateRows.CONTEXT);
      for (int row : rows) {
        context.put(context(row));
      }
      if (schema.hasHistory()) {
        FloatBuffer history = session.floats(StateRows.HISTORY);
        for (int row : rows) {
          history.put(history(row));
        }
      }
      session.floats(TowerGraph.ITEMS).put(drawn);
      session.floats(TowerGraph.TEACHER).put(scores);
    }
  }

  private int drawn(int count, int what, int step, int index) {
    return (int) (CounterRandom.uniform(seed, TAG, what, step, index) * count);
  }

  private void measure(RetrievalTowers towers, Map<String, Double> metrics) {
    int width = schema.item().size();
    int count = Math.min(MEASURED_ITEMS, itemCount);
    int best = Math.max(1, Math.min(MEASURED_BEST, count / 10));
    float[] some = Arrays.copyOf(items, count * width);
    float[] embeddings = towers.embeddings(some, count);
    ScoringBatch scoring = new ScoringBatch(actor.schema());
    int states = Math.min(MEASURED_STATES, measured.length);
    double found = 0;
    for (int i = 0; i < states; i++) {
      int row = measured[i * (measured.length / states)];
      scoring.clear();
      scoring.add(context(row), history(row), some);
      float[] wanted = Arrays.copyOf(actor.score(scoring).logits(), count);
      float[] query = towers.query(context(row), history(row));
      float[] got = new float[count];
      for (int item = 0; item < count; item++) {
        got[item] = inner(query, embeddings, item * query.length);
      }
      found += (double) common(wanted, got, best) / best;
    }
    metrics.put("retrieval.recall", found / states);
    metrics.put("retrieval.k", (double) best);
    metrics.put("retrieval.items", (double) count);
  }

  private static float inner(float[] query, float[] embeddings, int from) {
    float sum = 0;
    for (int i = 0; i < query.length; i++) {
      sum += query[i] * embeddings[from + i];
    }
    return sum;
  }

  /** How many items are among the best of both; an item tied with the last of the best counts. */
  private static int common(float[] wanted, float[] got, int best) {
    float least = largest(wanted, best);
    Integer[] order = new Integer[got.length];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, (a, b) -> Float.compare(got[b], got[a]));
    int common = 0;
    for (int i = 0; i < best; i++) {
      common += wanted[order[i]] >= least ? 1 : 0;
    }
    return common;
  }

  private static float largest(float[] values, int rank) {
    float[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length - rank];
  }

  private float[] context(int row) {
    int width = schema.context().size();
    return Arrays.copyOfRange(data.context(), row * width, (row + 1) * width);
  }

  private float[] history(int row) {
    int size = schema.historyLength() * schema.history().size();
    return Arrays.copyOfRange(data.history(), row * size, (row + 1) * size);
  }

  /** In the order of the log, the first of equal ones. */
  private float[] distinctItems() {
    int width = schema.item().size();
    Map<Integer, List<Integer>> seen = new HashMap<>();
    List<Integer> first = new ArrayList<>();
    int candidates = data.itemOffsets()[data.rows()];
    for (int item = 0; item < candidates && first.size() < MOST_ITEMS; item++) {
      int from = item * width;
      int hash = Arrays.hashCode(Arrays.copyOfRange(data.items(), from, from + width));
      List<Integer> same = seen.computeIfAbsent(hash, h -> new ArrayList<>(1));
      if (same.stream().noneMatch(other -> equal(other * width, from, width))) {
        same.add(item);
        first.add(item);
      }
    }
    float[] distinct = new float[first.size() * width];
    for (int i = 0; i < first.size(); i++) {
      System.arraycopy(data.items(), first.get(i) * width, distinct, i * width, width);
    }
    return distinct;
  }

  private boolean equal(int from, int other, int width) {
    return Arrays.equals(data.items(), from, from + width, data.items(), other, other + width);
  }

  private static int[] ints(List<Integer> list) {
    return list.stream().mapToInt(Integer::intValue).toArray();
  }
}
