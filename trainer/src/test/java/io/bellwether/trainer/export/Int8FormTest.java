package io.bellwether.trainer.export;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnxruntime.OrtEnvironment;
import io.bellwether.policy.scoring.CounterRandom;
import io.bellwether.trainer.algorithm.BehaviourCloning;
import io.bellwether.trainer.algorithm.Learner;
import io.bellwether.trainer.algorithm.LearnerData;
import io.bellwether.trainer.algorithm.ProgressListener;
import io.bellwether.trainer.algorithm.SyntheticLog;
import io.bellwether.trainer.algorithm.TrainingPlan;
import io.bellwether.trainer.graph.Shape;
import io.bellwether.trainer.graph.Tensor;
import io.bellwether.trainer.network.HistoryForm;
import io.bellwether.trainer.network.NetworkConfig;
import io.bellwether.trainer.network.NetworkSchema;
import java.util.Arrays;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class Int8FormTest {

  private static final NetworkSchema SCHEMA = SyntheticLog.schema(4);

  /** Of the widest logit: eight bits of weights and of activations, over two products. */
  private static final double TOLERANCE = 0.02;

  private final Int8Form form = new Int8Form();

  @Test
  void logitsStayCloseAndAreTheSameInEveryBatch() throws Exception {
    byte[] full = wide();
    byte[] int8 = form.of(full);
    LearnerData data = SyntheticLog.rows(SCHEMA, 40, 2, 30);
    float[] exact = Exported.score(full, SCHEMA, data).logits();
    float[] rounded = Exported.score(int8, SCHEMA, data).logits();
    float widest = 0;
    for (float logit : exact) {
      widest = Math.max(widest, Math.abs(logit));
    }
    for (int i = 0; i < exact.length; i++) {
      assertEquals(exact[i], rounded[i], TOLERANCE * widest);
    }
    int width = SCHEMA.context().size();
    int history = SCHEMA.historyLength() * SCHEMA.history().size();
    for (int row = 0; row < data.rows(); row++) {
      int from = data.itemOffsets()[row];
      int to = data.itemOffsets()[row + 1];
      float[] alone =
          Exported.score(
                  int8,
                  SCHEMA,
                  Arrays.copyOfRange(data.context(), row * width, (row + 1) * width),
                  Arrays.copyOfRange(data.history(), row * history, (row + 1) * history),
                  Arrays.copyOfRange(
                      data.items(), from * SCHEMA.item().size(), to * SCHEMA.item().size()),
                  new long[to - from])
              .logits();
      assertArrayEquals(Arrays.copyOfRange(rounded, from, to), alone, 1e-5f);
    }
  }

  @Test
  void onlyLargeProductsBecomeIntegersAndTheFileShrinks() throws Exception {
    byte[] full = wide();
    byte[] int8 = form.of(full);
    assertEquals(2, count(int8, "MatMulInteger"));
    assertEquals(count(full, "MatMul") - 2, count(int8, "MatMul"));
    assertTrue(int8.length < full.length / 2, int8.length + " of " + full.length + " bytes");
    assertArrayEquals(int8, form.of(full));
  }

  @ParameterizedTest
  @EnumSource
  void theFormOfATrainedPolicyKeepsItsInputsAndOutputs(HistoryForm history) throws Exception {
    TrainingPlan plan =
        TrainingPlan.of(3, 20)
            .withBatchSize(32)
            .withNetworks(NetworkConfig.DEFAULT.withForm(history));
    LearnerData data = SyntheticLog.rows(SCHEMA, 64, 2, 9);
    byte[] full =
        new OnnxExporter()
            .export(
                new Learner(OrtEnvironment.getEnvironment())
                    .train(BehaviourCloning.DEFAULT, SCHEMA, data, plan, ProgressListener.NONE),
                new TreeMap<>());
    byte[] int8 = form.of(full);
    // What scores a candidate is rounded, once; what encodes a history is not.
    assertEquals(1, count(int8, "MatMulInteger"));
    ModelProto before = ModelProto.parseFrom(full);
    ModelProto after = ModelProto.parseFrom(int8);
    assertEquals(before.getGraph().getInputList(), after.getGraph().getInputList());
    assertEquals(before.getGraph().getOutputList(), after.getGraph().getOutputList());
    float[] exact = Exported.score(full, SCHEMA, data).logits();
    float[] rounded = Exported.score(int8, SCHEMA, data).logits();
    for (int i = 0; i < exact.length; i++) {
      assertEquals(exact[i], rounded[i], 0.1);
    }
  }

  @Test
  void aSmallGraphIsItsOwnForm() {
    PolicyGraph graph = new PolicyGraph(SCHEMA);
    byte[] small = graph.toModel(graph.noLogits(), graph.noValues(), new TreeMap<>());
    assertSame(small, form.of(small));
    assertThrows(IllegalArgumentException.class, () -> form.of(new byte[] {1, 2, 3}));
  }

  /** Context and item, then two hidden layers of 64. */
  private static byte[] wide() {
    PolicyGraph graph = new PolicyGraph(SCHEMA);
    Tensor context = graph.states().context().gatherRows(graph.request());
    Tensor first =
        context
            .matMul(constant(graph, "c", SCHEMA.context().size(), 64))
            .add(graph.items().matMul(constant(graph, "i", SCHEMA.item().size(), 64)))
            .relu();
    Tensor second = first.matMul(constant(graph, "h1", 64, 64)).relu();
    Tensor third = second.matMul(constant(graph, "h2", 64, 64)).relu();
    Tensor logits =
        third
            .matMul(constant(graph, "o", 64, 1))
            .reshape(Shape.of(graph.items().shape().dimension(0)));
    return graph.toModel(logits, graph.noValues(), new TreeMap<>());
  }

  private static Tensor constant(PolicyGraph graph, String name, int rows, int columns) {
    float[] values = new float[rows * columns];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) (CounterRandom.normal(1, name.hashCode(), i, 0, 0) / Math.sqrt(rows));
    }
    return graph.graph().constant(name, values, Shape.of(rows, columns));
  }

  private static long count(byte[] graph, String operator) throws Exception {
    return ModelProto.parseFrom(graph).getGraph().getNodeList().stream()
        .map(NodeProto::getOpType)
        .filter(operator::equals)
        .count();
  }
}
