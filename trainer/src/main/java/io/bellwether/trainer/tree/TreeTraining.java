package io.bellwether.trainer.tree;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.policy.scoring.CounterRandom;
import io.bellwether.trainer.graph.TrainingSession;
import io.bellwether.trainer.network.LossDescent;
import io.bellwether.trainer.network.NetworkSchema;
import io.bellwether.trainer.network.Normalisation;
import io.bellwether.trainer.network.Parameters;
import io.bellwether.trainer.network.StateRows;
import io.bellwether.trainer.network.TreeNetwork;
import java.util.SortedMap;

/**
 * Trains a tree policy by the weighted likelihood of logged choices, each a path from the root to
 * an item. A step costs as much as depth times arity candidates per row, whatever the number of
 * items; the table of embeddings is bounded by the plan. The same log and seed give the same
 * weights. Stateless.
 */
public final class TreeTraining {

  private static final long TAG = 942;
  private static final double LAST_RATE = 0.05;

  private final NetworkSchema schema;
  private final ItemTree tree;
  private final TreeLog log;
  private final TreePlan plan;
  private final long seed;
  private final NodeContents contents;
  private final int ownRows;
  private final TreeNetwork network;
  private final TreeGraph graph;

  private TreeTraining(
      NetworkSchema schema,
      Normalisation normalisation,
      ItemTree tree,
      NodeContents contents,
      TreeLog log,
      TreePlan plan,
      long seed) {
    log.check(schema, tree);
    this.schema = schema;
    this.tree = tree;
    this.contents = contents;
    this.log = log;
    this.plan = plan;
    this.seed = seed;
    ownRows = Math.min(plan.ownEmbeddings(), tree.nodes());
    network =
        new TreeNetwork(
            schema, plan.networks(), normalisation, contents.width(), Math.max(1, ownRows));
    graph = new TreeGraph(schema, network);
  }

  /**
   * Trains a policy.
   *
   * @param normalisation of contexts and histories; that of items is not used
   * @param vectors of the tree's items, {@code vectors[item * width + column]}, of comparable size
   * @param metadata written into the graph
   */
  public static TrainedTree train(
      NetworkSchema schema,
      Normalisation normalisation,
      ItemTree tree,
      float[] vectors,
      int width,
      TreeLog log,
      TreePlan plan,
      long seed,
      SortedMap<String, String> metadata) {
    NodeContents contents = new NodeContents(tree, vectors, width);
    TreeTraining training =
        new TreeTraining(schema, normalisation, tree, contents, log, plan, seed);
    return training.result(training.run(), metadata);
  }

  private Parameters run() {
    try (LossDescent descent =
        graph.training(
            OrtEnvironment.getEnvironment(), plan, tree.depth(), tree.arity(), contents.width())) {
      descent.begin(network.initial(seed));
      Batch batch = new Batch();
      for (int step = 1; step <= plan.steps(); step++) {
        batch.fill(step);
        batch.feed(descent.inputs());
        double progress = (double) (step - 1) / plan.steps();
        float loss = descent.step(plan.rate() * (1 - (1 - LAST_RATE) * progress));
        if (!Float.isFinite(loss)) {
          throw new IllegalStateException("the loss of step " + step + " is not a number");
        }
      }
      return descent.weights();
    }
  }

  private TrainedTree result(Parameters trained, SortedMap<String, String> metadata) {
    return new TrainedTree(
        tree,
        graph.export(trained, metadata),
        embeddings(trained),
        plan.networks().embedding(),
        trained.get("tree.mixing.node.weight"),
        trained.get("tree.score.weight"));
  }

  /** Each node's embedding: its content, and its row of the table where it has one. */
  private float[] embeddings(Parameters trained) {
    int size = plan.networks().embedding();
    float[] weight = trained.get("tree.content.weight");
    float[] bias = trained.get("tree.content.bias");
    float[] table = trained.get("tree.table");
    float[] content = new float[contents.width()];
    float[] embeddings = new float[Math.multiplyExact(tree.nodes(), size)];
    for (int id = 0; id < tree.nodes(); id++) {
      contents.write(id, content, 0);
      int at = id * size;
      System.arraycopy(bias, 0, embeddings, at, size);
      for (int i = 0; i < content.length; i++) {
        for (int k = 0; k < size; k++) {
          embeddings[at + k] += content[i] * weight[i * size + k];
        }
      }
      for (int k = 0; id < ownRows && k < size; k++) {
        embeddings[at + k] += table[at + k];
      }
    }
    return embeddings;
  }

  /** Rows with the children along their paths. */
  private final class Batch {

    private final int choices = plan.batchSize() * tree.depth();
    private final int slots = choices * tree.arity();
    private final int[] rows = new int[plan.batchSize()];
    private final float[] children = new float[slots * contents.width()];
    private final long[] tableRows = new long[slots];
    private final float[] own = new float[slots];
    private final float[] empty = new float[slots];
    private final long[] chosen = new long[choices];

    void fill(int step) {
      for (int i = 0; i < rows.length; i++) {
        rows[i] = (int) (CounterRandom.uniform(seed, TAG, step, i, 0) * log.rows());
        int position = tree.position(log.items()[rows[i]]);
        long node = 0;
        for (int level = 0; level < tree.depth(); level++) {
          int choice = i * tree.depth() + level;
          children(choice, level, node);
          long next = tree.nodeAbove(level + 1, position);
          chosen[choice] = next - node * tree.arity();
          node = next;
        }
      }
    }

    private void children(int choice, int level, long node) {
      for (int child = 0; child < tree.arity(); child++) {
        int slot = choice * tree.arity() + child;
        long each = node * tree.arity() + child;
        boolean any = tree.to(level + 1, each) > tree.from(level + 1, each);
        int id = any ? tree.id(level + 1, each) : 0;
        contents.write(id, children, slot * contents.width());
        empty[slot] = any ? 0 : TreeGraph.NONE;
        own[slot] = id < ownRows ? 1 : 0;
        tableRows[slot] = id < ownRows ? id : 0;
      }
    }

    void feed(TrainingSession session) {
      int context = schema.context().size();
      int history = schema.historyLength() * schema.history().size();
      for (int i = 0; i < rows.length; i++) {
        session
            .floats(StateRows.CONTEXT)
            .position(i * context)
            .put(log.context(), rows[i] * context, context);
        if (history > 0) {
          session
              .floats(StateRows.HISTORY)
              .position(i * history)
              .put(log.history(), rows[i] * history, history);
        }
        session.floats(TreeGraph.ROW_WEIGHTS).put(i, log.weights()[rows[i]]);
      }
      session.floats(TreeGraph.CONTENTS).put(children);
      session.longs(TreeGraph.ROWS).put(tableRows);
      session.floats(TreeGraph.OWN).put(own);
      session.floats(TreeGraph.EMPTY).put(empty);
      session.longs(TreeGraph.CHOSEN).put(chosen);
    }
  }
}
