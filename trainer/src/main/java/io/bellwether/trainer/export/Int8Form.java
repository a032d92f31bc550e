package io.bellwether.trainer.export;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.StringStringEntryProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.TypeProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.TensorInfo;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The smaller form of a policy graph: its large matrix products in 8-bit integers.
 *
 * <pre>
 * scale_r  = max(|A_r|, tiny) / 127           per row r of the left side, when the graph runs
 * Q_r      = round(A_r / scale_r) + 128       uint8 in [1, 255]; where the left side is that of a
 *                                             Relu: 255 in place of 127 and 0 in place of 128
 * W_c      = round(127 B_c / max |B_c|) + 128 uint8 in [1, 255], per column c, here and now
 * A B     ~= (Q - 128) (W - 128) * scale_r * (max |B_c| / 127)
 * </pre>
 *
 * <p>Rows are quantised each on its own, and not whole tensors as ONNX's {@code
 * DynamicQuantizeLinear} does it: serving scores requests in whatever batch they meet, and a score
 * must not depend on the neighbours. Weights are unsigned like the left sides: with signed ones,
 * processors without VNNI add pairs of products in 16 bits, which overflow, and the same graph
 * would score differently from machine to machine.
 *
 * <p>Only products of rank 2 with a constant of at least {@value #FEWEST_ROWS} rows and {@value
 * #FEWEST_COLUMNS} columns are replaced; in the others nothing is to be gained. Equal graphs give
 * equal bytes. Stateless.
 *
 * <p>Source: Jacob et al., "Quantization and Training of Neural Networks for Efficient
 * Integer-Arithmetic-Only Inference", 2018; scales per row and per column in place of one each.
 */
public final class Int8Form {

  static final int FEWEST_ROWS = 16;
  static final int FEWEST_COLUMNS = 16;

  private static final String PRODUCT = "MatMul";
  private static final String NON_NEGATIVE = "Relu";
  private static final float SIGNED_MAX = 127;
  private static final float UNSIGNED_MAX = 255;
  private static final float RIGHT_MAX = 127;
  private static final int SIGNED_ZERO = 128;
  private static final float TINY = 1e-20f;
  private static final String FORM_PROPERTY = "bellwether.graph_form";

  private static final String TINY_NAME = "int8.tiny";
  private static final String SIGNED_MAX_NAME = "int8.signed.max";
  private static final String UNSIGNED_MAX_NAME = "int8.unsigned.max";
  private static final String SIGNED_ZERO_NAME = "int8.signed.zero";
  private static final String UNSIGNED_ZERO_NAME = "int8.unsigned.zero";
  private static final String ROW_NAME = "int8.row";

  /**
   * The smaller form of a graph.
   *
   * @return the graph itself, byte for byte, where nothing in it is large enough
   * @throws IllegalArgumentException where the bytes are no graph
   */
  public byte[] of(byte[] graph) {
    ModelProto model = parse(graph);
    Map<String, TensorProto> constants = new HashMap<>();
    model.getGraph().getInitializerList().forEach(each -> constants.put(each.getName(), each));
    Set<String> products = products(model, constants);
    if (products.isEmpty()) {
      return graph;
    }
    return rewrite(model, constants, products).toByteArray();
  }

  private static ModelProto parse(byte[] graph) {
    try {
      return ModelProto.parseFrom(graph);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException("these bytes are no ONNX graph", e);
    }
  }

  /** Names of the products to be replaced, by their outputs. */
  private static Set<String> products(ModelProto model, Map<String, TensorProto> constants) {
    List<NodeProto> large = new ArrayList<>();
    for (NodeProto node : model.getGraph().getNodeList()) {
      if (node.getOpType().equals(PRODUCT) && isLarge(constants.get(node.getInput(1)))) {
        large.add(node);
      }
    }
    Map<String, Integer> ranks = ranks(model, large);
    Set<String> products = new HashSet<>();
    for (NodeProto node : large) {
      if (ranks.getOrDefault(node.getInput(0), 0) == 2) {
        products.add(node.getOutput(0));
      }
    }
    return products;
  }

  private static boolean isLarge(@Nullable TensorProto constant) {
    return constant != null
        && constant.getDataType() == TensorProto.DataType.FLOAT.getNumber()
        && constant.getDimsCount() == 2
        && constant.getDims(0) >= FEWEST_ROWS
        && constant.getDims(1) >= FEWEST_COLUMNS;
  }

  /** Ranks of the products' left sides, as the runtime infers them when they are outputs. */
  private static Map<String, Integer> ranks(ModelProto model, List<NodeProto> products) {
    GraphProto.Builder graph = model.getGraph().toBuilder();
    Map<String, Integer> ranks = new HashMap<>();
    graph.getInputList().forEach(each -> ranks.put(each.getName(), rank(each)));
    Set<String> asked = new HashSet<>();
    graph.getOutputList().forEach(each -> asked.add(each.getName()));
    for (NodeProto product : products) {
      String left = product.getInput(0);
      if (!ranks.containsKey(left) && asked.add(left)) {
        graph.addOutput(ofUnknownShape(left));
      }
    }
    byte[] bytes = model.toBuilder().setGraph(graph).build().toByteArray();
    try (OrtSession.SessionOptions options = new OrtSession.SessionOptions();
        OrtSession session = OrtEnvironment.getEnvironment().createSession(bytes, options)) {
      session
          .getOutputInfo()
          .forEach(
              (name, node) -> ranks.put(name, ((TensorInfo) node.getInfo()).getShape().length));
      return ranks;
    } catch (OrtException e) {
      throw new IllegalArgumentException("the graph cannot be opened", e);
    }
  }

  private static int rank(ValueInfoProto value) {
    return value.getType().getTensorType().getShape().getDimCount();
  }

  private static ValueInfoProto ofUnknownShape(String name) {
    return ValueInfoProto.newBuilder()
        .setName(name)
        .setType(
            TypeProto.newBuilder()
                .setTensorType(
                    TypeProto.Tensor.newBuilder()
                        .setElemType(TensorProto.DataType.FLOAT.getNumber())))
        .build();
  }

  private static ModelProto rewrite(
      ModelProto model, Map<String, TensorProto> constants, Set<String> products) {
    GraphProto.Builder graph = model.getGraph().toBuilder().clearNode().clearInitializer();
    Set<String> quantised = new HashSet<>();
    Set<String> weights = new HashSet<>();
    graph.addInitializer(floats(TINY_NAME, new float[] {TINY}));
    graph.addInitializer(floats(SIGNED_MAX_NAME, new float[] {SIGNED_MAX}));
    graph.addInitializer(floats(UNSIGNED_MAX_NAME, new float[] {UNSIGNED_MAX}));
    graph.addInitializer(bytes(SIGNED_ZERO_NAME, SIGNED_ZERO));
    graph.addInitializer(bytes(UNSIGNED_ZERO_NAME, 0));
    graph.addInitializer(longs(ROW_NAME, -1));
    Set<String> nonNegative = nonNegative(model);
    for (NodeProto node : model.getGraph().getNodeList()) {
      if (!products.contains(node.getOutput(0))) {
        graph.addNode(node);
        continue;
      }
      String left = node.getInput(0);
      String right = node.getInput(1);
      if (quantised.add(left)) {
        addLeft(graph, left, nonNegative.contains(left));
      }
      if (weights.add(right)) {
        addRight(graph, Objects.requireNonNull(constants.get(right)));
      }
      addProduct(graph, left, nonNegative.contains(left), right, node.getOutput(0));
    }
    Set<String> used = inputs(graph);
    List<TensorProto> own = new ArrayList<>(graph.getInitializerList());
    own.removeIf(each -> !used.contains(each.getName()));
    graph.clearInitializer().addAllInitializer(own);
    model.getGraph().getInitializerList().stream()
        .filter(each -> used.contains(each.getName()))
        .forEach(graph::addInitializer);
    return model.toBuilder()
        .addMetadataProps(
            StringStringEntryProto.newBuilder().setKey(FORM_PROPERTY).setValue("int8"))
        .setGraph(graph)
        .build();
  }

  private static Set<String> nonNegative(ModelProto model) {
    Set<String> names = new HashSet<>();
    for (NodeProto node : model.getGraph().getNodeList()) {
      if (node.getOpType().equals(NON_NEGATIVE)) {
        names.add(node.getOutput(0));
      }
    }
    return names;
  }

  /** The rows of a left side as integers, and the scale of each. */
  private static void addLeft(GraphProto.Builder graph, String left, boolean nonNegative) {
    String most = name(left, "most");
    String scale = name(left, "scale");
    String size = nonNegative ? left : name(left, "size");
    if (!nonNegative) {
      graph.addNode(node("Abs", size, left));
    }
    graph.addNode(
        node("ReduceMax", name(left, "peak"), size).toBuilder()
            .addAttribute(ints("axes", 1))
            .addAttribute(integer("keepdims", 1)));
    graph.addNode(node("Max", most, name(left, "peak"), TINY_NAME));
    graph.addNode(node("Div", scale, most, nonNegative ? UNSIGNED_MAX_NAME : SIGNED_MAX_NAME));
    graph.addNode(node("Reshape", name(left, "scales"), scale, ROW_NAME));
    graph.addNode(node("Shape", name(left, "rows"), name(left, "scales")));
    graph.addNode(
        node("ConstantOfShape", name(left, "zeros"), name(left, "rows")).toBuilder()
            .addAttribute(
                AttributeProto.newBuilder()
                    .setName("value")
                    .setType(AttributeProto.AttributeType.TENSOR)
                    .setT(
                        bytes("", nonNegative ? 0 : SIGNED_ZERO).toBuilder()
                            .clearName()
                            .addDims(1))));
    graph.addNode(
        node(
                "QuantizeLinear",
                name(left, "integers"),
                left,
                name(left, "scales"),
                name(left, "zeros"))
            .toBuilder()
            .addAttribute(integer("axis", 0)));
  }

  /** A constant's columns as integers, and the scale of each. */
  private static void addRight(GraphProto.Builder graph, TensorProto weights) {
    int rows = Math.toIntExact(weights.getDims(0));
    int columns = Math.toIntExact(weights.getDims(1));
    float[] values = new float[rows * columns];
    weights
        .getRawData()
        .asReadOnlyByteBuffer()
        .order(ByteOrder.LITTLE_ENDIAN)
        .asFloatBuffer()
        .get(values);
    float[] scales = new float[columns];
    byte[] integers = new byte[values.length];
    for (int column = 0; column < columns; column++) {
      float most = TINY;
      for (int row = 0; row < rows; row++) {
        most = Math.max(most, Math.abs(values[row * columns + column]));
      }
      scales[column] = most / RIGHT_MAX;
      for (int row = 0; row < rows; row++) {
        int at = row * columns + column;
        integers[at] = (byte) (SIGNED_ZERO + (int) Math.rint(values[at] / scales[column]));
      }
    }
    graph.addInitializer(
        TensorProto.newBuilder()
            .setName(name(weights.getName(), "integers"))
            .setDataType(TensorProto.DataType.UINT8.getNumber())
            .addDims(rows)
            .addDims(columns)
            .setRawData(ByteString.copyFrom(integers)));
    graph.addInitializer(floats(name(weights.getName(), "scales"), scales));
  }

  private static void addProduct(
      GraphProto.Builder graph, String left, boolean nonNegative, String right, String product) {
    graph.addNode(
        node(
            "MatMulInteger",
            name(product, "sums"),
            name(left, "integers"),
            name(right, "integers"),
            nonNegative ? UNSIGNED_ZERO_NAME : SIGNED_ZERO_NAME,
            SIGNED_ZERO_NAME));
    graph.addNode(
        node("Cast", name(product, "floats"), name(product, "sums")).toBuilder()
            .addAttribute(integer("to", TensorProto.DataType.FLOAT.getNumber())));
    graph.addNode(node("Mul", name(product, "rows"), name(product, "floats"), name(left, "scale")));
    graph.addNode(node("Mul", product, name(product, "rows"), name(right, "scales")));
  }

  private static Set<String> inputs(GraphProto.Builder graph) {
    Set<String> used = new HashSet<>();
    graph.getNodeList().forEach(each -> used.addAll(each.getInputList()));
    graph.getOutputList().forEach(each -> used.add(each.getName()));
    return used;
  }

  private static String name(String of, String part) {
    return of + ".int8." + part;
  }

  private static NodeProto node(String operator, String output, String... inputs) {
    return NodeProto.newBuilder()
        .setOpType(operator)
        .setName(output)
        .addAllInput(List.of(inputs))
        .addOutput(output)
        .build();
  }

  private static TensorProto floats(String name, float[] values) {
    ByteBuffer bytes =
        ByteBuffer.allocate(values.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asFloatBuffer().put(values);
    return TensorProto.newBuilder()
        .setName(name)
        .setDataType(TensorProto.DataType.FLOAT.getNumber())
        .addDims(values.length)
        .setRawData(ByteString.copyFrom(bytes))
        .build();
  }

  private static TensorProto longs(String name, long value) {
    return TensorProto.newBuilder()
        .setName(name)
        .setDataType(TensorProto.DataType.INT64.getNumber())
        .addDims(1)
        .addInt64Data(value)
        .build();
  }

  /** A scalar. */
  private static TensorProto bytes(String name, int value) {
    return TensorProto.newBuilder()
        .setName(name)
        .setDataType(TensorProto.DataType.UINT8.getNumber())
        .setRawData(ByteString.copyFrom(new byte[] {(byte) value}))
        .build();
  }

  private static AttributeProto ints(String name, long value) {
    return AttributeProto.newBuilder()
        .setName(name)
        .setType(AttributeProto.AttributeType.INTS)
        .addInts(value)
        .build();
  }

  private static AttributeProto integer(String name, long value) {
    return AttributeProto.newBuilder()
        .setName(name)
        .setType(AttributeProto.AttributeType.INT)
        .setI(value)
        .build();
  }
}
