package io.bellwether.trainer.export;

import io.bellwether.trainer.algorithm.TrainedPolicy;
import io.bellwether.trainer.graph.Shape;
import io.bellwether.trainer.graph.Tensor;
import io.bellwether.trainer.network.Candidates;
import io.bellwether.trainer.network.Critic;
import io.bellwether.trainer.network.Parameters;
import io.bellwether.trainer.network.PolicyNetworks;
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
    Tensor logits =
        policy.hasActor()
            ? logits(policy.networks(), policy.actor(), graph, candidates)
            : graph.noLogits();
    Tensor values = policy.hasCritic() ? values(policy, graph, candidates) : graph.noValues();
    return graph.toModel(logits, values, metadata);
  }

  /**
   * An actor alone, whose hidden layers may have fewer units than the networks were described with.
   */
  public byte[] export(
      PolicyNetworks networks, Parameters actor, SortedMap<String, String> metadata) {
    PolicyGraph graph = new PolicyGraph(networks.schema());
    Tensor logits = logits(networks, actor, graph, new Candidates.Ragged(graph.request()));
    return graph.toModel(logits, graph.noValues(), metadata);
  }

  private static Tensor logits(
      PolicyNetworks networks, Parameters actor, PolicyGraph graph, Candidates candidates) {
    Weights weights = Weights.constant(graph.graph(), actor);
    return networks.actor().logits(weights, graph.states(), graph.items(), candidates);
  }

  private static Tensor values(TrainedPolicy policy, PolicyGraph graph, Candidates candidates) {
    Critic critic = policy.networks().critic();
    Weights weights = Weights.constant(graph.graph(), policy.critic());
    Tensor encoded = critic.encode(weights, graph.states());
    Tensor outputs = critic.actionValues(weights, encoded, graph.items(), candidates);
    float[] scale = policy.signalScale();
    int heads = policy.networks().heads();
    return heads == 1
        ? outputs.mul(graph.graph().constant(scale, Shape.of(1, scale.length)))
        : outputs.matMul(meanOfHeads(graph, scale, heads));
  }

  /** {@code [S * heads, S]}: the mean of each signal's heads, in the signal's own unit. */
  private static Tensor meanOfHeads(PolicyGraph graph, float[] scale, int heads) {
    int signals = scale.length;
    float[] mean = new float[signals * heads * signals];
    for (int output = 0; output < signals * heads; output++) {
      int signal = output / heads;
      mean[output * signals + signal] = scale[signal] / heads;
    }
    return graph.graph().constant(mean, Shape.of((long) signals * heads, signals));
  }
}
