package io.bellwether.evaluation.offpolicy;

/**
 * Inverse propensity scoring with the weights of what an item <em>is</em> (its cluster or
 * embedding) in place of those of the item itself. Far less spread where there are thousands of
 * items; unbiased where the embedding carries all of an item's effect on the reward, else off by
 * what items of one embedding differ.
 *
 * <p>With several positions each reward has the product of the embeddings' ratios up to its place.
 *
 * <p>Source: Saito and Joachims, "Off-Policy Evaluation for Large Action Spaces via Embeddings",
 * 2022.
 *
 * @see EmbeddingRatio
 */
public record Mips() implements WeightedReward {

  @Override
  public String name() {
    return "mips";
  }

  @Override
  public boolean readable(DecisionColumns columns) {
    return columns.hasClusterWeights();
  }

  @Override
  public double weight(DecisionRow decision, int position) {
    return decision.clusterWeight[position];
  }
}
