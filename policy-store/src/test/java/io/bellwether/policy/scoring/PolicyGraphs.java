package io.bellwether.policy.scoring;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import ai.onnx.proto.OnnxMl.StringStringEntryProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.TensorShapeProto;
import ai.onnx.proto.OnnxMl.TypeProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import com.google.protobuf.ByteString;
import io.bellwether.policy.schema.FeatureSchema;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * Small policy graphs for tests, with random weights: {@code hidden = relu(gather(context Wc +
 * mean(history) Wh, request) + items Wi)}, {@code logits = hidden wo + bias}, {@code values =
 * hidden Wv}. {@link Weights} computes the same in plain Java.
 */
public final class PolicyGraphs {

  public static final FeatureSchema SCHEMA =
      new FeatureSchema("f00d", 5, 3, 4, 6, List.of("watch_seconds", "like"));

  public static final FeatureSchema WITHOUT_HISTORY =
      new FeatureSchema("beef", 5, 0, 0, 6, List.of("click"));

  private static final int HIDDEN = 8;

  private PolicyGraphs() {}

  /** A graph that fits its schema. */
  public static byte[] graph(FeatureSchema schema, long seed) {
    return model(schema, new Weights(schema, seed, HIDDEN)).build().toByteArray();
  }

  /** A graph that fits its schema, with a hidden layer of this width. */
  public static byte[] graph(FeatureSchema schema, long seed, int hidden) {
    return model(schema, new Weights(schema, seed, hidden)).build().toByteArray();
  }

  public static Weights weights(FeatureSchema schema, long seed) {
    return new Weights(schema, seed, HIDDEN);
  }

  /** The model of {@link #graph}, to be spoilt by a test. */
  static ModelProto.Builder model(FeatureSchema schema, Weights weights) {
    int hidden = weights.hidden;
    GraphProto.Builder graph = GraphProto.newBuilder().setName("policy");
    graph.addInput(value("context", TensorProto.DataType.FLOAT, "requests", schema.contextWidth()));
    graph.addInput(value("items", TensorProto.DataType.FLOAT, "candidates", schema.itemWidth()));
    graph.addInput(value("request", TensorProto.DataType.INT64, "candidates"));
    graph.addInitializer(tensor("wc", weights.context, schema.contextWidth(), hidden));
    graph.addInitializer(tensor("wi", weights.items, schema.itemWidth(), hidden));
    graph.addInitializer(tensor("wo", weights.out, hidden, 1));
    graph.addInitializer(tensor("bias", new float[] {weights.bias}, 1));
    graph.addInitializer(longs("last", 1));
    graph.addNode(node("MatMul", List.of("context", "wc"), "fromContext"));
    String state = "fromContext";
    if (schema.hasHistory()) {
      graph.addInput(
          value(
              "history",
              TensorProto.DataType.FLOAT,
              "requests",
              schema.historyLength(),
              schema.historyWidth()));
      graph.addInitializer(tensor("wh", weights.history, schema.historyWidth(), hidden));
      graph.addNode(
          node("ReduceMean", List.of("history"), "meanHistory").toBuilder()
              .addAttribute(ints("axes", 1))
              .addAttribute(integer("keepdims", 0)));
      graph.addNode(node("MatMul", List.of("meanHistory", "wh"), "fromHistory"));
      graph.addNode(node("Add", List.of("fromContext", "fromHistory"), "state"));
      state = "state";
    }
    graph.addNode(node("Gather", List.of(state, "request"), "perCandidate"));
    graph.addNode(node("MatMul", List.of("items", "wi"), "fromItems"));
    graph.addNode(node("Add", List.of("perCandidate", "fromItems"), "sum"));
    graph.addNode(node("Relu", List.of("sum"), "hidden"));
    graph.addNode(node("MatMul", List.of("hidden", "wo"), "column"));
    graph.addNode(node("Squeeze", List.of("column", "last"), "bare"));
    graph.addNode(node("Add", List.of("bare", "bias"), "logits"));
    graph.addOutput(value("logits", TensorProto.DataType.FLOAT, "candidates"));
    int signals = schema.signals().size();
    if (signals > 0) {
      graph.addInitializer(tensor("wv", weights.values, hidden, signals));
      graph.addNode(node("MatMul", List.of("hidden", "wv"), "values"));
      graph.addOutput(value("values", TensorProto.DataType.FLOAT, "candidates", signals));
    }
    return ModelProto.newBuilder()
        .setIrVersion(8)
        .setProducerName("bellwether-tests")
        .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(17))
        .addMetadataProps(
            StringStringEntryProto.newBuilder()
                .setKey("bellwether.feature_schema_sha256")
                .setValue(schema.digest()))
        .setGraph(graph);
  }

  static NodeProto node(String operator, List<String> inputs, String output) {
    return NodeProto.newBuilder()
        .setOpType(operator)
        .setName(output)
        .addAllInput(inputs)
        .addOutput(output)
        .build();
  }

  /** A value whose axes are names (free) or numbers (fixed). */
  static ValueInfoProto value(String name, TensorProto.DataType type, Object... axes) {
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

  private static TensorProto tensor(String name, float[] numbers, long... shape) {
    ByteBuffer bytes =
        ByteBuffer.allocate(numbers.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asFloatBuffer().put(numbers);
    TensorProto.Builder tensor =
        TensorProto.newBuilder()
            .setName(name)
            .setDataType(TensorProto.DataType.FLOAT.getNumber())
            .setRawData(ByteString.copyFrom(bytes));
    for (long length : shape) {
      tensor.addDims(length);
    }
    return tensor.build();
  }

  private static TensorProto longs(String name, long number) {
    return TensorProto.newBuilder()
        .setName(name)
        .setDataType(TensorProto.DataType.INT64.getNumber())
        .addDims(1)
        .addInt64Data(number)
        .build();
  }

  private static AttributeProto ints(String name, long number) {
    return AttributeProto.newBuilder()
        .setName(name)
        .setType(AttributeProto.AttributeType.INTS)
        .addInts(number)
        .build();
  }

  private static AttributeProto integer(String name, long number) {
    return AttributeProto.newBuilder()
        .setName(name)
        .setType(AttributeProto.AttributeType.INT)
        .setI(number)
        .build();
  }

  /** The weights of a graph, and the slow plain-Java version of its forward pass. */
  public static final class Weights {

    private final FeatureSchema schema;
    private final int hidden;
    private final float[] context;
    private final float[] history;
    private final float[] items;
    private final float[] out;
    private final float[] values;
    private final float bias;

    Weights(FeatureSchema schema, long seed, int hidden) {
      this.schema = schema;
      this.hidden = hidden;
      context = random(seed, 10, schema.contextWidth() * hidden);
      history = random(seed, 11, schema.historyWidth() * hidden);
      items = random(seed, 12, schema.itemWidth() * hidden);
      out = random(seed, 13, hidden);
      values = random(seed, 14, hidden * schema.signals().size());
      bias = random(seed, 15, 1)[0];
    }

    /** The logit and then the values of one candidate. */
    public double[] forward(float[] contextRow, float[] historyRows, float[] itemRow) {
      int signals = schema.signals().size();
      double[] result = new double[1 + signals];
      result[0] = bias;
      for (int h = 0; h < hidden; h++) {
        double sum = 0;
        for (int c = 0; c < contextRow.length; c++) {
          sum += (double) contextRow[c] * context[c * hidden + h];
        }
        for (int c = 0; c < historyRows.length; c++) {
          int column = c % schema.historyWidth();
          sum += (double) historyRows[c] * history[column * hidden + h] / schema.historyLength();
        }
        for (int c = 0; c < itemRow.length; c++) {
          sum += (double) itemRow[c] * items[c * hidden + h];
        }
        double unit = Math.max(0, sum);
        result[0] += unit * out[h];
        for (int s = 0; s < signals; s++) {
          result[1 + s] += unit * values[h * signals + s];
        }
      }
      return result;
    }
  }

  /** Standard normal numbers, halved. */
  public static float[] random(long seed, long tag, int length) {
    float[] numbers = new float[length];
    for (int i = 0; i < length; i++) {
      numbers[i] = (float) (0.5 * CounterRandom.normal(seed, tag, i, 0, 0));
    }
    return numbers;
  }
}
