package io.bellwether.serving.decision;

import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import com.google.protobuf.ByteString;
import io.bellwether.policy.schema.FeatureSchema;
import io.bellwether.policy.scoring.CounterRandom;
import io.bellwether.serving.LinearPolicy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * A graph of fixed random weights, {@code context + item -> hidden ... -> 1} with rectified layers.
 * The first layer's part that depends on the context is computed once per request. For surfaces
 * without history.
 */
final class LayeredPolicy {

  private static final int SEED = 7;

  private final FeatureSchema schema;
  private final GraphProto.Builder graph = GraphProto.newBuilder().setName("policy");
  private int weights;

  private LayeredPolicy(FeatureSchema schema) {
    this.schema = schema;
  }

  /**
   * The serialised graph.
   *
   * @param hidden units of each hidden layer; none gives a linear policy
   */
  static byte[] graph(FeatureSchema schema, int... hidden) {
    return new LayeredPolicy(schema).build(hidden);
  }

  private byte[] build(int... hidden) {
    graph.addInput(
        LinearPolicy.value("context", TensorProto.DataType.FLOAT, "r", schema.contextWidth()));
    graph.addInput(
        LinearPolicy.value("items", TensorProto.DataType.FLOAT, "n", schema.itemWidth()));
    graph.addInput(LinearPolicy.value("request", TensorProto.DataType.INT64, "n"));
    int units = hidden.length == 0 ? 1 : hidden[0];
    node("MatMul", List.of("context", matrix(schema.contextWidth(), units)), "tower");
    node("Gather", List.of("tower", "request"), "perCandidate");
    node("MatMul", List.of("items", matrix(schema.itemWidth(), units)), "fromItems");
    String last = node("Add", List.of("perCandidate", "fromItems"), "layer0");
    for (int i = 0; i < hidden.length; i++) {
      int next = i + 1 < hidden.length ? hidden[i + 1] : 1;
      String rectified = node("Relu", List.of(last), "rectified" + i);
      last = node("MatMul", List.of(rectified, matrix(hidden[i], next)), "layer" + (i + 1));
    }
    graph.addInitializer(
        TensorProto.newBuilder()
            .setName("last")
            .setDataType(TensorProto.DataType.INT64.getNumber())
            .addDims(1)
            .addInt64Data(1));
    node("Squeeze", List.of(last, "last"), "logits");
    graph.addOutput(LinearPolicy.value("logits", TensorProto.DataType.FLOAT, "n"));
    return ModelProto.newBuilder()
        .setIrVersion(8)
        .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(17))
        .setGraph(graph)
        .build()
        .toByteArray();
  }

  private String node(String operator, List<String> inputs, String output) {
    graph.addNode(
        NodeProto.newBuilder()
            .setOpType(operator)
            .setName(output)
            .addAllInput(inputs)
            .addOutput(output));
    return output;
  }

  private String matrix(int rows, int columns) {
    String name = "w" + weights++;
    ByteBuffer bytes =
        ByteBuffer.allocate(rows * columns * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    double scale = 1 / Math.sqrt(rows);
    while (bytes.hasRemaining()) {
      bytes.putFloat((float) (scale * CounterRandom.normal(SEED, weights, bytes.position(), 0, 0)));
    }
    graph.addInitializer(
        TensorProto.newBuilder()
            .setName(name)
            .setDataType(TensorProto.DataType.FLOAT.getNumber())
            .addDims(rows)
            .addDims(columns)
            .setRawData(ByteString.copyFrom(bytes.flip())));
    return name;
  }
}
