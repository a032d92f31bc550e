package io.bellwether.trainer.retrieval;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.policy.schema.FeatureSchema;
import io.bellwether.policy.scoring.RetrievalTowers;
import io.bellwether.policy.scoring.Scorer;
import io.bellwether.trainer.algorithm.LearnerData;
import io.bellwether.trainer.algorithm.SyntheticLog;
import io.bellwether.trainer.algorithm.TrainedPolicy;
import io.bellwether.trainer.export.OnnxExporter;
import io.bellwether.trainer.network.ColumnScaling;
import io.bellwether.trainer.network.NetworkConfig;
import io.bellwether.trainer.network.NetworkSchema;
import io.bellwether.trainer.network.Normalisation;
import io.bellwether.trainer.network.Parameters;
import io.bellwether.trainer.network.PolicyNetworks;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class TowerDistillationTest {

  private static final int HISTORY = 3;

  private final NetworkSchema schema = SyntheticLog.schema(HISTORY);
  private final LearnerData data = SyntheticLog.rows(schema, 200, 5, 10);
  private final TrainedPolicy policy = actor();
  private final FeatureSchema features =
      new FeatureSchema(
          "f00d",
          schema.context().size(),
          HISTORY,
          schema.history().size(),
          schema.item().size(),
          schema.signals());

  @Test
  void towersFindWhatTheActorLikesBest() {
    Map<String, Double> before = distil(32, 1).metrics();
    Map<String, Double> after = distil(32, 120).metrics();
    double recall = after.getOrDefault("retrieval.recall", 0.0);
    assertTrue(recall > 0.8, () -> "recall " + after);
    assertTrue(
        recall > before.getOrDefault("retrieval.recall", 1.0), () -> before + " to " + after);
    assertEquals(100, after.get("retrieval.k"));
  }

  @Test
  void anyWidthCanBeAskedForAndTheSameSeedGivesTheSameBytes() {
    DistilledTowers towers = distil(8, 5);
    assertArrayEquals(towers.graph(), distil(8, 5).graph());
    try (RetrievalTowers opened = RetrievalTowers.open(towers.graph(), features)) {
      assertEquals(8, opened.width());
      int width = schema.item().size();
      float[] two = Arrays.copyOf(data.items(), 2 * width);
      float[] both = opened.embeddings(two, 2);
      float[] second = opened.embeddings(Arrays.copyOfRange(two, width, 2 * width), 1);
      assertArrayEquals(Arrays.copyOfRange(both, 8, 16), second, 1e-5f);
    }
  }

  private DistilledTowers distil(int embedding, int steps) {
    byte[] graph = new OnnxExporter().export(policy, new TreeMap<>());
    try (Scorer scorer = Scorer.open(graph, features)) {
      return TowerDistillation.distil(policy, scorer, data, embedding, 7, new TreeMap<>(), steps);
    }
  }

  /** First weights, of which the last layers are as large as those of a trained actor. */
  private TrainedPolicy actor() {
    Normalisation normalisation =
        new Normalisation(
            ColumnScaling.measure(schema.context(), data.context(), row -> true),
            ColumnScaling.measure(schema.history(), data.history(), row -> true),
            ColumnScaling.measure(schema.item(), data.items(), row -> true));
    PolicyNetworks networks = new PolicyNetworks(schema, NetworkConfig.DEFAULT, normalisation);
    Parameters actor = networks.initialActor(3);
    for (String layer : List.of("actor.query.weight", "actor.score.weight")) {
      float[] weight = actor.get(layer);
      for (int i = 0; i < weight.length; i++) {
        weight[i] *= 10;
      }
      actor = actor.with(layer, weight);
    }
    return new TrainedPolicy(
        networks,
        actor,
        true,
        networks.initialCritic(3, new float[schema.signals().size()]),
        false,
        new TreeMap<>(),
        new float[schema.signals().size()],
        List.of(),
        List.of());
  }
}
