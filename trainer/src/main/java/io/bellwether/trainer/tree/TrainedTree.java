package io.bellwether.trainer.tree;

/**
 * A tree policy as it serves: what a graph computes once per state, and numbers from which each
 * node's score is computed. Arrays are shared and must not be changed. {@link TreeScorer} opens it.
 *
 * @param tree of the items
 * @param stateGraph ONNX: from {@code context} (and {@code history}) to {@code query [R, d]} and
 *     {@code share [R, m]}
 * @param embeddings {@code embeddings[id * d + k]}
 * @param width {@code d}
 * @param nodeShare {@code nodeShare[k * m + unit]}: from an embedding to the trunk
 * @param score {@code [m]}: from the trunk to a score; what is the same for all nodes is left out
 */
@SuppressWarnings("ArrayRecordComponent") // carried, not compared
public record TrainedTree(
    ItemTree tree,
    byte[] stateGraph,
    float[] embeddings,
    int width,
    float[] nodeShare,
    float[] score) {

  public TrainedTree {
    if (embeddings.length != (long) tree.nodes() * width
        || nodeShare.length != width * score.length) {
      throw new IllegalArgumentException("the parts of the tree policy do not fit each other");
    }
  }
}
