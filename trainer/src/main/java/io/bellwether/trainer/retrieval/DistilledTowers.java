package io.bellwether.trainer.retrieval;

import java.util.Map;

/**
 * Two towers, as a graph that {@link io.bellwether.policy.scoring.RetrievalTowers} opens, and how
 * well they stand for the actor.
 *
 * @param metrics {@code retrieval.recall}: which share of the actor's best items are among as many
 *     best items of the towers, mean over states that they were not trained on; {@code retrieval.k}
 *     and {@code retrieval.items}: how many of how many items are compared; {@code retrieval.loss}:
 *     the last steps' mean
 */
@SuppressWarnings("ArrayRecordComponent") // carried, not compared
public record DistilledTowers(byte[] graph, Map<String, Double> metrics) {
  public DistilledTowers {
    metrics = Map.copyOf(metrics);
  }
}
