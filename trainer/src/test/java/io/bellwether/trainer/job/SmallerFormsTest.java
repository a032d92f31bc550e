package io.bellwether.trainer.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.policy.schema.FeatureSchema;
import io.bellwether.policy.scoring.Exploration;
import io.bellwether.policy.version.PolicyManifest;
import io.bellwether.trainer.algorithm.BehaviourCloning;
import io.bellwether.trainer.algorithm.Learner;
import io.bellwether.trainer.algorithm.LearnerData;
import io.bellwether.trainer.algorithm.ProgressListener;
import io.bellwether.trainer.algorithm.SyntheticLog;
import io.bellwether.trainer.algorithm.TrainedPolicy;
import io.bellwether.trainer.algorithm.TrainingPlan;
import io.bellwether.trainer.export.OnnxExporter;
import io.bellwether.trainer.network.NetworkSchema;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SmallerFormsTest {

  @Test
  void eachFormIsSmallerAndSaysHowDifferentlyItDecides() {
    NetworkSchema schema = SyntheticLog.schema(3);
    LearnerData data = SyntheticLog.rows(schema, 80, 2, 4);
    FeatureSchema features =
        new FeatureSchema(
            "f00d",
            schema.context().size(),
            3,
            schema.history().size(),
            schema.item().size(),
            schema.signals());
    TrainedPolicy policy =
        new Learner(OrtEnvironment.getEnvironment())
            .train(
                BehaviourCloning.DEFAULT,
                schema,
                data,
                TrainingPlan.of(5, 20).withBatchSize(16),
                ProgressListener.NONE);
    byte[] graph = new OnnxExporter().export(policy, new TreeMap<>());
    try (SmallerForms forms =
        new SmallerForms(graph, features, data, new Exploration(1, 0.02, 1e-4), 2)) {
      assertForm(forms.int8().orElseThrow(), "int8", PolicyManifest.INT8_GRAPH, graph.length);
      SmallerForm pruned = forms.pruned(policy, 0.9, 3, new TreeMap<>());
      assertForm(pruned, "pruned", PolicyManifest.PRUNED_GRAPH, graph.length);
      assertEquals(24, pruned.metrics().get("pruned.units"));
    }
  }

  private static void assertForm(SmallerForm form, String name, String file, int whole) {
    assertEquals(file, form.file());
    assertTrue(form.graph().length < whole, () -> form.graph().length + " of " + whole);
    assertTrue(form.metrics().containsKey(name + ".changedSlates"), form::toString);
    assertTrue(form.metrics().getOrDefault(name + ".propensityDifference", 1.0) < 0.1);
  }
}
