package io.bellwether.trainer.pruning;

import io.bellwether.trainer.network.Parameters;
import java.util.Map;

/**
 * An actor with fewer hidden units, to be exported with the networks that the whole one was trained
 * with.
 *
 * @param actor the weights by their names, of which some are smaller
 * @param metrics {@code pruned.units} and {@code pruned.unitsBefore}: hidden units; {@code
 *     pruned.weights}: which share of the actor's numbers is left; {@code pruned.divergence}: mean
 *     Kullback–Leibler divergence from the whole actor's choice to this one's, in nats, over states
 *     that it did not learn from
 */
public record PrunedActor(Parameters actor, Map<String, Double> metrics) {
  public PrunedActor {
    metrics = Map.copyOf(metrics);
  }
}
