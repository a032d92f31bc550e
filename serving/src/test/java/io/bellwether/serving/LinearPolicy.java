package io.bellwether.serving;

import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.TensorShapeProto;
import ai.onnx.proto.OnnxMl.TypeProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import com.google.protobuf.ByteString;
import io.bellwether.policy.schema.FeatureSchema;
import io.bellwether.policy.scoring.Scorer;
import io.bellwether.policy.version.Alias;
import io.bellwether.policy.version.EvidenceKind;
import io.bellwether.policy.version.MoveRequest;
import io.bellwether.policy.version.PolicyManifest;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.TrainingData;
import io.bellwether.policy.version.VersionId;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** A real, small policy: {@code logits = items w}; context and history are taken and not used. */
public final class LinearPolicy {

  private LinearPolicy() {}

  /** Publishes a version that passed its gate. */
  public static VersionId publish(
      PolicyStore store, String name, FeatureSchema schema, float... weights) {
    PolicyManifest manifest =
        new PolicyManifest(
            name,
            PolicyManifest.ONNX,
            "test",
            Instant.EPOCH,
            "5eed",
            schema,
            "linear",
            1,
            new TrainingData("none", Instant.EPOCH, Instant.EPOCH, 0, "da7a"),
            "0",
            null,
            null,
            Map.of(),
            List.of());
    VersionId id =
        store.publish(manifest, Map.of(PolicyManifest.GRAPH, graph(schema, weights))).id();
    store.attach(
        id,
        EvidenceKind.VERDICT,
        "{\"verdict\":\"pass\"}".getBytes(StandardCharsets.UTF_8),
        "gate");
    return id;
  }

  /** Opens such a policy without publishing it. */
  public static Scorer open(FeatureSchema schema, float... weights) {
    return Scorer.open(graph(schema, weights), schema);
  }

  /** Makes a version the champion, whatever was before. */
  public static void crown(PolicyStore store, String name, VersionId version) {
    store.move(
        new MoveRequest(
            name,
            Alias.CHAMPION,
            store.alias(name, Alias.CHAMPION).orElse(null),
            version,
            "test",
            "a test",
            null));
  }

  /** The graph of such a policy. */
  public static byte[] graph(FeatureSchema schema, float... weights) {
    ByteBuffer bytes =
        ByteBuffer.allocate(weights.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asFloatBuffer().put(weights);
    GraphProto.Builder graph =
        GraphProto.newBuilder()
            .setName("policy")
            .addInput(value("context", TensorProto.DataType.FLOAT, "r", schema.contextWidth()))
            .addInput(
                value(
                    "history",
                    TensorProto.DataType.FLOAT,
                    "r",
                    schema.historyLength(),
                    schema.historyWidth()))
            .addInput(value("items", TensorProto.DataType.FLOAT, "n", schema.itemWidth()))
            .addInput(value("request", TensorProto.DataType.INT64, "n"))
            .addInitializer(
                TensorProto.newBuilder()
                    .setName("w")
                    .setDataType(TensorProto.DataType.FLOAT.getNumber())
                    .addDims(weights.length)
                    .setRawData(ByteString.copyFrom(bytes)))
            .addNode(
                NodeProto.newBuilder()
                    .setOpType("MatMul")
                    .setName("logits")
                    .addInput("items")
                    .addInput("w")
                    .addOutput("logits"))
            .addOutput(value("logits", TensorProto.DataType.FLOAT, "n"));
    return ModelProto.newBuilder()
        .setIrVersion(8)
        .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(17))
        .setGraph(graph)
        .build()
        .toByteArray();
  }

  /** A value whose axes are names (free) or numbers (fixed). */
  public static ValueInfoProto value(String name, TensorProto.DataType type, Object... axes) {
    TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
    for (Object axis : axes) {
      TensorShapeProto.Dimension.Builder dimension = TensorShapeProto.Dimension.newBuilder();
      shape.addDim(
          axis instanceof Integer length
              ? dimension.setDimValue(length)
              : dimension.setDimParam((String) axis));
    }
    return ValueInfoProto.newBuilder()
        .setName(name)
        .setType(
            TypeProto.newBuilder()
                .setTensorType(
                    TypeProto.Tensor.newBuilder().setElemType(type.getNumber()).setShape(shape)))
        .build();
  }
}
