package io.bellwether.trainer.pruning;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.policy.scoring.Scorer;
import io.bellwether.trainer.algorithm.BehaviourCloning;
import io.bellwether.trainer.algorithm.Learner;
import io.bellwether.trainer.algorithm.LearnerData;
import io.bellwether.trainer.algorithm.ProgressListener;
import io.bellwether.trainer.algorithm.TrainedPolicy;
import io.bellwether.trainer.algorithm.TrainingPlan;
import io.bellwether.trainer.export.OnnxExporter;
import io.bellwether.trainer.graph.Shape;
import io.bellwether.trainer.network.HiddenLayer;
import io.bellwether.trainer.network.KeptUnits;
import io.bellwether.trainer.network.Parameters;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class GradualPruningTest {

  private static final LearnerData LOG = TasteLog.rows(1, 3000);
  private static final LearnerData OTHERS = TasteLog.rows(2, 1000);

  private static TrainedPolicy policy;
  private static byte[] whole;

  @BeforeAll
  static void trainAnActor() {
    policy =
        new Learner(OrtEnvironment.getEnvironment())
            .train(
                BehaviourCloning.DEFAULT,
                TasteLog.schema(),
                LOG,
                TrainingPlan.of(5, 1000).withBatchSize(64),
                ProgressListener.NONE);
    whole = new OnnxExporter().export(policy, new TreeMap<>());
  }

  @Test
  void anActorWithATenthOfItsUnitsLosesAtMostTwoPercentOfItsValue() {
    PrunedActor pruned = prune(new PruningPlan(0.9, PruningSchedule.CUBIC, 2500));
    byte[] graph = export(pruned.actor());
    double before = TasteLog.value(whole, OTHERS);
    double after = TasteLog.value(graph, OTHERS);
    assertTrue(after >= 0.98 * before, () -> before + " became " + after);
    Map<String, Double> metrics = pruned.metrics();
    assertEquals(256, metrics.get("pruned.unitsBefore"));
    assertEquals(24, metrics.get("pruned.units"));
    assertTrue(metrics.getOrDefault("pruned.weights", 1.0) < 0.1, metrics::toString);
    assertTrue(graph.length < 0.15 * whole.length, () -> graph.length + " of " + whole.length);
    assertEquals(Shape.of(6, 6), pruned.actor().layout().shape("actor.state.second.weight"));
  }

  @Test
  void theSameSeedGivesTheSameBytesUnderEachSchedule() {
    for (PruningSchedule schedule : PruningSchedule.values()) {
      PruningPlan plan = new PruningPlan(0.5, schedule, 50);
      assertArrayEquals(prune(plan).actor().values(), prune(plan).actor().values());
    }
  }

  @Test
  void anActorWithoutSomeUnitsDecidesLikeOneWhoseUnitsOfThoseHaveZeros() {
    KeptUnits kept = new UnitImportance().keep(layers(), policy.actor(), 0.7);
    float[] values = policy.actor().values().clone();
    float[] mask = kept.mask(policy.actor().layout());
    for (int i = 0; i < values.length; i++) {
      values[i] *= mask[i];
    }
    Parameters zeroed = new Parameters(policy.actor().layout(), values);
    Parameters narrowed = kept.narrowed(policy.actor());
    assertEquals(4 * 19, kept.count());
    assertTrue(narrowed.layout().size() < 0.3 * zeroed.layout().size());
    assertEquals(
        TasteLog.value(export(zeroed), OTHERS), TasteLog.value(export(narrowed), OTHERS), 1e-6);
  }

  @Test
  void aUnitMattersAsMuchHoweverItsScaleIsSplitBetweenItsTwoSides() {
    HiddenLayer layer = layers().get(2);
    UnitImportance importance = new UnitImportance();
    double[] before = importance.of(layer, policy.actor());
    Parameters scaled = policy.actor();
    for (Map.Entry<String, Float> part :
        Map.of("first.weight", 4f, "first.bias", 4f, "second.weight", 0.25f).entrySet()) {
      float[] weight = scaled.get("actor.item." + part.getKey());
      for (int i = 0; i < weight.length; i++) {
        weight[i] *= part.getValue();
      }
      scaled = scaled.with("actor.item." + part.getKey(), weight);
    }
    assertArrayEquals(before, importance.of(layer, scaled), 1e-9);
    assertEquals(
        layers().size(), importance.keep(layers(), scaled, 0.999).count(), "one of each layer");
  }

  private static List<HiddenLayer> layers() {
    return policy.networks().actor().hiddenLayers();
  }

  private static byte[] export(Parameters actor) {
    return new OnnxExporter().export(policy.networks(), actor, new TreeMap<>());
  }

  private static PrunedActor prune(PruningPlan plan) {
    try (Scorer scorer = Scorer.open(whole, TasteLog.features())) {
      return GradualPruning.prune(policy, scorer, LOG, 1, plan, 7);
    }
  }
}
