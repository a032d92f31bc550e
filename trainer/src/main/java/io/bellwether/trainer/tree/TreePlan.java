package io.bellwether.trainer.tree;

import io.bellwether.trainer.network.NetworkConfig;

/**
 * How a tree policy is trained.
 *
 * @param networks widths; {@code embedding} is that of a node
 * @param steps at least one
 * @param batchSize rows of a step
 * @param rate of the first step; it falls linearly to a twentieth
 * @param ownEmbeddings how many nodes, from the root down, have an embedding of their own; the
 *     others are known by their content alone
 * @param evenness what the squared distance of the children's chances from even ones costs at each
 *     node, at least 0
 */
public record TreePlan(
    NetworkConfig networks,
    int steps,
    int batchSize,
    double rate,
    int ownEmbeddings,
    double evenness) {

  public static final TreePlan DEFAULT =
      new TreePlan(new NetworkConfig(64, 16, 32), 3000, 128, 3e-3, 20_000, 0);

  public TreePlan {
    if (steps < 1 || batchSize < 1 || ownEmbeddings < 0 || !(rate > 0) || !(evenness >= 0)) {
      throw new IllegalArgumentException(
          "no training of %d steps with %d rows at rate %s".formatted(steps, batchSize, rate));
    }
  }

  public TreePlan withSteps(int count) {
    return new TreePlan(networks, count, batchSize, rate, ownEmbeddings, evenness);
  }

  public TreePlan withOwnEmbeddings(int count) {
    return new TreePlan(networks, steps, batchSize, rate, count, evenness);
  }

  public TreePlan withEvenness(double cost) {
    return new TreePlan(networks, steps, batchSize, rate, ownEmbeddings, cost);
  }
}
