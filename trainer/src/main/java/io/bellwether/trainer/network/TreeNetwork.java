package io.bellwether.trainer.network;

import io.bellwether.trainer.graph.Shape;
import io.bellwether.trainer.graph.Tensor;

/**
 * The network of a tree policy: one score per state and node, by one trunk for all nodes.
 *
 * <p>{@code z(s, n) = <W1 h, v> / √d + w · relu(W2 h + V v + b)}, where {@code h} is the state
 * tower's output and {@code v = W3 content + table[n]} the node's embedding: what its items are
 * like on the mean, and, for nodes that have a row in the table, what that does not say. Immutable.
 */
public final class TreeNetwork {

  /** The counter generator's number of this network; actor, critic and towers have 0 to 2. */
  private static final int NETWORK = 3;

  private static final double FIRST_TABLE = 0.05;

  private static final String TABLE = "tree.table";
  private static final String NODE_SHARE = "tree.mixing.node.weight";

  private final StateTower state;
  private final Dense query;
  private final Dense stateShare;
  private final Dense content;
  private final Dense score;
  private final ParameterLayout layout;
  private final float scale;

  /**
   * @param config {@code hidden} is the width of the state tower and of the trunk, {@code
   *     embedding} that of a node's embedding
   * @param contentWidth numbers that describe a node
   * @param tableRows at least one: how many nodes have an embedding of their own
   */
  public TreeNetwork(
      NetworkSchema schema,
      NetworkConfig config,
      Normalisation normalisation,
      int contentWidth,
      int tableRows) {
    state = new StateTower("tree.state", schema, config, normalisation, false);
    query = Dense.output("tree.query", config.hidden(), config.embedding());
    stateShare = Dense.hidden("tree.mixing.state", config.hidden(), config.hidden());
    content = Dense.hidden("tree.content", contentWidth, config.embedding());
    score = Dense.output("tree.score", config.hidden(), 1);
    ParameterLayout.Builder builder = new ParameterLayout.Builder();
    state.declare(builder);
    query.declare(builder);
    stateShare.declare(builder);
    content.declare(builder);
    builder.uniform(
        NODE_SHARE,
        Shape.of(config.embedding(), config.hidden()),
        Math.sqrt(6.0 / config.embedding()));
    score.declare(builder);
    builder.uniform(TABLE, Shape.of(tableRows, config.embedding()), FIRST_TABLE);
    layout = builder.build();
    scale = (float) (1 / Math.sqrt(config.embedding()));
  }

  public ParameterLayout layout() {
    return layout;
  }

  public Parameters initial(long seed) {
    return layout.initial(seed, NETWORK);
  }

  /** Encoded states {@code [r, hidden]}. */
  public Tensor encode(Weights weights, StateRows states) {
    return state.apply(weights, states);
  }

  /** What encoded states look for, scaled: {@code [r, embedding]}. */
  public Tensor query(Weights weights, Tensor encoded) {
    return query.apply(weights, encoded).mul(scale);
  }

  /** The states' share of the trunk: {@code [r, hidden]}. */
  public Tensor stateShare(Weights weights, Tensor encoded) {
    return stateShare.apply(weights, encoded);
  }

  /**
   * Scores {@code [n]} of nodes in their states.
   *
   * @param contents {@code [n, contentWidth]}
   * @param rows INT64 {@code [n]}, each node's row of the table
   * @param ownRow {@code [n, 1]}: 1 where the node has a row of its own, else 0
   */
  public Tensor scores(
      Weights weights,
      Tensor encoded,
      Tensor contents,
      Tensor rows,
      Tensor ownRow,
      Candidates nodes) {
    Tensor own = weights.get(TABLE).gatherRows(rows).mul(ownRow);
    Tensor embedding = content.apply(weights, contents).add(own);
    Tensor product = nodes.innerProducts(embedding, query(weights, encoded));
    Tensor mixed =
        nodes
            .combine(
                embedding.matMul(weights.get(NODE_SHARE)),
                stateShare(weights, encoded),
                Tensor::add)
            .relu();
    return product
        .add(score.apply(weights, mixed))
        .reshape(Shape.of(contents.shape().dimension(0)));
  }
}
