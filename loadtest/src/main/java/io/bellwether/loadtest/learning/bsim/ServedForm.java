package io.bellwether.loadtest.learning.bsim;

import io.bellwether.policy.schema.FeatureSchema;
import io.bellwether.policy.scoring.Scorer;
import io.bellwether.trainer.algorithm.LearnerData;
import io.bellwether.trainer.algorithm.TrainedPolicy;
import io.bellwether.trainer.export.OnnxExporter;
import io.bellwether.trainer.pruning.GradualPruning;
import io.bellwether.trainer.pruning.PrunedActor;
import io.bellwether.trainer.pruning.PruningPlan;
import java.util.TreeMap;

/** From what a learner left behind to the graph that decides. Stateless. */
@FunctionalInterface
public interface ServedForm {

  /** The network as it was trained. */
  ServedForm WHOLE = (policy, schema, data, seed) -> whole(policy);

  /**
   * Exports.
   *
   * @param data that the policy was trained on
   */
  byte[] graph(TrainedPolicy policy, FeatureSchema schema, LearnerData data, long seed);

  /** With a share of the units of each hidden layer taken out. */
  static ServedForm pruned(double share) {
    PruningPlan plan = PruningPlan.of(share);
    return (policy, schema, data, seed) -> {
      try (Scorer whole = Scorer.open(whole(policy), schema)) {
        PrunedActor pruned = GradualPruning.prune(policy, whole, data, 1, plan, seed);
        return new OnnxExporter().export(policy.networks(), pruned.actor(), new TreeMap<>());
      }
    };
  }

  private static byte[] whole(TrainedPolicy policy) {
    return new OnnxExporter().export(policy, new TreeMap<>());
  }
}
