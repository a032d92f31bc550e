package io.bellwether.trainer.algorithm;

import io.bellwether.trainer.network.Parameters;
import io.bellwether.trainer.network.PolicyNetworks;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a learner leaves behind: the networks and their weights, and how training went. Immutable;
 * arrays are shared.
 *
 * @param networks description of both networks, normalisation included
 * @param actor the actor's weights; first weights where {@code hasActor} is false
 * @param critic the critic's weights; first weights where {@code hasCritic} is false
 * @param vectors all weights that were trained or given, slow copies included, by name
 * @param signalScale per signal, the unit of the critic's values: multiply to get the signal's own
 *     unit
 * @param history progress in order
 * @param promises how each promise stood at the end, in the order of the algorithm's promises
 */
@SuppressWarnings("ArrayRecordComponent")
public record TrainedPolicy(
    PolicyNetworks networks,
    Parameters actor,
    boolean hasActor,
    Parameters critic,
    boolean hasCritic,
    SortedMap<String, float[]> vectors,
    float[] signalScale,
    List<Progress> history,
    List<PromiseOutcome> promises) {

  public TrainedPolicy {
    vectors = Collections.unmodifiableSortedMap(new TreeMap<>(vectors));
    history = List.copyOf(history);
    promises = List.copyOf(promises);
  }

  /** The same without a critic, where its outputs are no values of the signals. */
  TrainedPolicy withoutCritic() {
    return new TrainedPolicy(
        networks, actor, hasActor, critic, false, vectors, signalScale, history, promises);
  }

  /**
   * The weights of a vector.
   *
   * @throws IllegalArgumentException if there is none of this name
   */
  float[] weights(String vector) {
    float[] weights = vectors.get(vector);
    if (weights == null) {
      throw new IllegalArgumentException(
          "nothing is called " + vector + ", only " + vectors.keySet());
    }
    return weights;
  }
}
