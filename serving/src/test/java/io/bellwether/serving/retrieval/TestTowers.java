package io.bellwether.serving.retrieval;

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
import io.bellwether.policy.scoring.RetrievalTowers;
import io.bellwether.serving.surface.DeclaredSurface;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** Real, small towers: {@code query = context Q}, {@code embedding = items E}. */
final class TestTowers {

  private TestTowers() {}

  /** What towers and policies of a surface take. */
  static FeatureSchema schema(DeclaredSurface surface) {
    return new FeatureSchema(
        surface.layout().digest(),
        surface.layout().contextWidth(),
        surface.layout().historyLength(),
        surface.layout().historyWidth(),
        surface.layout().itemWidth(),
        List.of());
  }

  static RetrievalTowers of(DeclaredSurface surface, int firstItemColumn, int width) {
    return RetrievalTowers.open(graph(surface, firstItemColumn, width), schema(surface));
  }

  /** Towers that take the first {@code width} columns of the context and some of an item. */
  static byte[] graph(DeclaredSurface surface, int firstItemColumn, int width) {
    FeatureSchema schema = schema(surface);
    GraphProto.Builder graph =
        GraphProto.newBuilder()
            .setName("retrieval")
            .addInput(value("context", "R", schema.contextWidth()))
            .addInput(value("items", "N", schema.itemWidth()))
            .addInitializer(matrix("Q", selection(schema.contextWidth(), 0, width), width))
            .addInitializer(
                matrix("E", selection(schema.itemWidth(), firstItemColumn, width), width))
            .addNode(product("context", "Q", RetrievalTowers.QUERY))
            .addNode(product("items", "E", RetrievalTowers.EMBEDDING))
            .addOutput(value(RetrievalTowers.QUERY, "R", width))
            .addOutput(value(RetrievalTowers.EMBEDDING, "N", width));
    if (schema.hasHistory()) {
      graph.addInput(value("history", "R", schema.historyLength(), schema.historyWidth()));
    }
    return ModelProto.newBuilder()
        .setIrVersion(8)
        .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(17))
        .setGraph(graph)
        .build()
        .toByteArray();
  }

  /** {@code [columns, width]} that takes {@code width} columns from {@code first} on. */
  private static float[] selection(int columns, int first, int width) {
    float[] matrix = new float[columns * width];
    for (int i = 0; i < width; i++) {
      matrix[(first + i) * width + i] = 1;
    }
    return matrix;
  }

  private static NodeProto product(String left, String right, String name) {
    return NodeProto.newBuilder()
        .setOpType("MatMul")
        .addInput(left)
        .addInput(right)
        .addOutput(name)
        .build();
  }

  private static TensorProto matrix(String name, float[] values, int width) {
    ByteBuffer bytes =
        ByteBuffer.allocate(values.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asFloatBuffer().put(values);
    return TensorProto.newBuilder()
        .setName(name)
        .setDataType(TensorProto.DataType.FLOAT.getNumber())
        .addDims(values.length / width)
        .addDims(width)
        .setRawData(ByteString.copyFrom(bytes))
        .build();
  }

  private static ValueInfoProto value(String name, String rows, int... widths) {
    TensorShapeProto.Builder shape =
        TensorShapeProto.newBuilder()
            .addDim(TensorShapeProto.Dimension.newBuilder().setDimParam(rows));
    for (int width : widths) {
      shape.addDim(TensorShapeProto.Dimension.newBuilder().setDimValue(width));
    }
    return ValueInfoProto.newBuilder()
        .setName(name)
        .setType(
            TypeProto.newBuilder()
                .setTensorType(
                    TypeProto.Tensor.newBuilder()
                        .setElemType(TensorProto.DataType.FLOAT.getNumber())
                        .setShape(shape)))
        .build();
  }
}
