package io.bellwether.trainer.export;

import io.bellwether.trainer.algorithm.TrainedPolicy;
import io.bellwether.trainer.graph.Shape;
import io.bellwether.trainer.graph.Tensor;
import io.bellwether.trainer.network.Candidates;
import io.bellwether.trainer.network.Critic;
import io.bellwether.trainer.network.Weights;
import java.util.SortedMap;

/**
 * Turns trained networks into a policy graph: normalisation, embeddings and towers inside, weights
 * as constants, ragged as {@link PolicyGraph} says.
 *
 * <p>What was not trained gives zeros: a clone has no values, a reward model no logits. Equal
 * weights and metadata give equal bytes. Stateless.
 */
public final class OnnxExporter {

  /**
   * {@code metadata} travels in the file under {@code metadata_props}: at least whose policy it is,
   * and its schema.
   */
  public byte[] export(TrainedPolicy policy, SortedMap<String, String> metadata) {
    PolicyGraph graph = new PolicyGraph(policy.networks().schema());
    Candidates candidates = new Candidates.Ragged(graph.request());
    Tensor logits = policy.hasActor() ? logits(policy, graph, candidates) : graph.noLogits();
    Tensor values = policy.hasCritic() ? values(policy, graph, candidates) : graph.noValues();
    return graph.toModel(logits, values, metadata);
  }

  private static Tensor logits(TrainedPolicy policy, PolicyGraph graph, Candidates candidates) {
    Weights weights = Weights.constant(graph.graph(), policy.actor());
    return policy.networks().actor().logits(weights, graph.states(), graph.items(), candidates);
  }

  private static Tensor values(TrainedPolicy policy, PolicyGraph graph, Candidates candidates) {
    Critic critic = policy.networks().critic();
    Weights weights = Weights.constant(graph.graph(), policy.critic());
    Tensor encoded = critic.encode(weights, graph.states());
    Tensor scale =
        graph.graph().constant(policy.signalScale(), Shape.of(1, policy.signalScale().length));
    return critic.actionValues(weights, encoded, graph.items(), candidates).mul(scale);
  }
}
