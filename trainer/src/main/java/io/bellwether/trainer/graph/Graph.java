package io.bellwether.trainer.graph;

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
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An ONNX graph under construction: inputs, constants, operators in order of creation, and named
 * outputs.
 *
 * <p>Equal sequences of calls give equal bytes: values are numbered in order of creation and
 * nothing else (no clock, no hash order) enters the file. Opset 17, IR 8, weights as little-endian
 * raw data. Confined to one thread.
 */
public final class Graph {
  private static final int OPSET = 17;
  private static final int IR_VERSION = 8;

  private final List<Tensor> tensors = new ArrayList<>();
  private final List<Tensor> inputs = new ArrayList<>();
  private final List<String> symbols = new ArrayList<>();
  private final List<Node> nodes = new ArrayList<>();
  private final List<TensorProto> constants = new ArrayList<>();
  private final Map<Integer, Tensor> scalars = new HashMap<>();
  private final Map<Part, Tensor> parts = new LinkedHashMap<>();
  private final Map<Long, Tensor> ones = new HashMap<>();
  private final Map<Picked, Tensor> picked = new HashMap<>();
  private final Map<String, Tensor> outputs = new LinkedHashMap<>();

  private record Node(
      String operator,
      List<Tensor> inputs,
      List<Tensor> outputs,
      List<AttributeProto> attributes) {}

  /** Where an input lies that is a part of another one; {@code from} counts elements. */
  record Part(Tensor whole, long from, Shape shape) {}

  private record Picked(String index, long width) {}

  /**
   * A dimension whose size is known only when the graph runs, shown under this name to whoever
   * loads the file.
   */
  public long symbol(String name) {
    int known = symbols.indexOf(name);
    if (known >= 0) {
      return -1L - known;
    }
    symbols.add(name);
    return -symbols.size();
  }

  public Tensor input(String name, ElementType type, Shape shape) {
    Tensor input = tensor(name, type, shape, List.of(), null);
    inputs.add(input);
    return input;
  }

  /**
   * Consecutive elements of a vector under a shape of their own. Where the vector is an input, this
   * is an input too, which lies in the memory of the vector's: a {@link TrainingSession} fills both
   * at once, and nothing is copied.
   */
  public Tensor part(Tensor vector, long from, Shape shape) {
    if (!inputs.contains(vector)) {
      return vector.slice(0, from, from + shape.size()).reshape(shape);
    }
    if (from < 0 || from + shape.size() > vector.shape().size()) {
      throw new IllegalArgumentException(
          "part " + shape + " from " + from + " of " + vector.shape());
    }
    return parts.computeIfAbsent(
        new Part(vector, from, shape),
        part -> input(nextName(vector.name() + ".part"), vector.type(), shape));
  }

  public Tensor constant(float value) {
    return scalars.computeIfAbsent(
        Float.floatToRawIntBits(value),
        bits -> constant(nextName("c"), new float[] {value}, Shape.of()));
  }

  public Tensor constant(float[] values, Shape shape) {
    return constant(nextName("c"), values, shape);
  }

  /**
   * A constant under a name of its own: the weights of an exported policy keep the names they were
   * trained under.
   */
  public Tensor constant(String name, float[] values, Shape shape) {
    if (values.length != shape.size()) {
      throw new IllegalArgumentException(
          name + " has " + values.length + " values for shape " + shape);
    }
    ByteBuffer bytes = littleEndian(values.length * Float.BYTES);
    bytes.asFloatBuffer().put(values);
    return constant(name, ElementType.FLOAT, shape, bytes);
  }

  Tensor constant(long[] values, Shape shape) {
    ByteBuffer bytes = littleEndian(values.length * Long.BYTES);
    bytes.asLongBuffer().put(values);
    return constant(nextName("c"), ElementType.INT64, shape, bytes);
  }

  private Tensor constant(String name, ElementType type, Shape shape, ByteBuffer bytes) {
    constants.add(
        TensorProto.newBuilder()
            .setName(name)
            .setDataType(type.onnx())
            .addAllDims(shape.dimensions())
            .setRawData(ByteString.copyFrom(bytes))
            .build());
    return tensor(name, type, shape, List.of(), null);
  }

  private static ByteBuffer littleEndian(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Names a value that the graph gives back. A value may have several names, a name has one value.
   */
  public void output(String name, Tensor tensor) {
    if (outputs.putIfAbsent(name, tensor) != null) {
      throw new IllegalArgumentException("output " + name + " is named twice");
    }
  }

  Tensor operator(
      String operator,
      ElementType type,
      Shape shape,
      List<Tensor> operands,
      List<AttributeProto> attributes,
      @Nullable Backward backward) {
    Tensor output = tensor(nextName("t"), type, shape, operands, backward);
    nodes.add(new Node(operator, operands, List.of(output), attributes));
    return output;
  }

  /** A value in equal parts along one axis, each of the given shape. */
  List<Tensor> split(Tensor whole, int axis, int count, Shape each) {
    List<Tensor> parts = new ArrayList<>();
    Tensor.Split split = new Tensor.Split(whole, axis, parts);
    for (int part = 0; part < count; part++) {
      Tensor tensor = new Tensor(tensors.size(), nextName("t"), each, split);
      tensors.add(tensor);
      parts.add(tensor);
    }
    nodes.add(new Node("Split", List.of(whole), parts, List.of(Attributes.integer("axis", axis))));
    return List.copyOf(parts);
  }

  /** A row of ones, {@code [1, size]}. */
  Tensor ones(long size) {
    return ones.computeIfAbsent(
        size,
        width -> {
          float[] values = new float[Math.toIntExact(width)];
          Arrays.fill(values, 1);
          return constant(values, Shape.of(1, width));
        });
  }

  /** 1 at the element of each row that {@code index [n, 1]} names, else 0: {@code [n, width]}. */
  Tensor picked(Tensor index, long width) {
    Picked key = new Picked(index.name(), width);
    Tensor known = picked.get(key);
    if (known == null) {
      long[] columns = new long[Math.toIntExact(width)];
      Arrays.setAll(columns, column -> column);
      known = index.isEqualTo(constant(columns, Shape.of(1, width))).cast(ElementType.FLOAT);
      picked.put(key, known);
    }
    return known;
  }

  /** Zeros of a shape of known sizes. */
  Tensor zeros(Shape shape) {
    return constant(0f).expand(shape);
  }

  private Tensor tensor(
      String name,
      ElementType type,
      Shape shape,
      List<Tensor> operands,
      @Nullable Backward backward) {
    Tensor tensor = new Tensor(this, tensors.size(), name, type, shape, operands, backward);
    tensors.add(tensor);
    return tensor;
  }

  /**
   * The same value under a new identity, at which differentiation ends: nothing (stop), or a
   * variable (leaf).
   */
  Tensor leaf(Tensor value, boolean variable) {
    Tensor leaf = new Tensor(value, tensors.size(), variable);
    tensors.add(leaf);
    return leaf;
  }

  private String nextName(String prefix) {
    return prefix + tensors.size();
  }

  List<Tensor> tensors() {
    return tensors;
  }

  List<Tensor> inputs() {
    return List.copyOf(inputs);
  }

  /** The inputs that have no memory of their own, by where they lie. */
  Map<Part, Tensor> parts() {
    return parts;
  }

  Map<String, Tensor> outputs() {
    return outputs;
  }

  /**
   * The file: a serialised {@code ModelProto} with this graph and the given metadata in key order.
   */
  public byte[] toModel(String graphName, SortedMap<String, String> metadata) {
    ModelProto.Builder model =
        ModelProto.newBuilder()
            .setIrVersion(IR_VERSION)
            .setProducerName("bellwether")
            .addOpsetImport(OperatorSetIdProto.newBuilder().setDomain("").setVersion(OPSET))
            .setGraph(toGraph(graphName));
    metadata.forEach(
        (key, value) ->
            model.addMetadataProps(
                StringStringEntryProto.newBuilder().setKey(key).setValue(value)));
    return model.build().toByteArray();
  }

  private GraphProto toGraph(String graphName) {
    Set<String> used = new HashSet<>();
    nodes.forEach(node -> node.inputs.forEach(input -> used.add(input.name())));
    outputs.values().forEach(output -> used.add(output.name()));
    GraphProto.Builder graph = GraphProto.newBuilder().setName(graphName);
    constants.stream()
        .filter(constant -> used.contains(constant.getName()))
        .forEach(graph::addInitializer);
    inputs.forEach(input -> graph.addInput(valueInfo(input.name(), input)));
    Map<String, String> names = outputNames();
    UnaryOperator<String> shown = name -> names.getOrDefault(name, name);
    for (Node node : nodes) {
      NodeProto.Builder proto =
          NodeProto.newBuilder().setOpType(node.operator).addAllAttribute(node.attributes);
      node.inputs.forEach(input -> proto.addInput(shown.apply(input.name())));
      node.outputs.forEach(output -> proto.addOutput(shown.apply(output.name())));
      graph.addNode(proto);
    }
    outputs.forEach(
        (name, tensor) -> {
          String source = shown.apply(tensor.name());
          if (!source.equals(name)) {
            graph.addNode(
                NodeProto.newBuilder().setOpType("Identity").addInput(source).addOutput(name));
          }
          graph.addOutput(valueInfo(name, tensor));
        });
    return graph.build();
  }

  /**
   * The output by whose name each value goes that an operator computes for one; a second name of a
   * value, an input and a constant need a copy.
   */
  private Map<String, String> outputNames() {
    Set<String> computed = new HashSet<>();
    nodes.forEach(node -> node.outputs.forEach(output -> computed.add(output.name())));
    Map<String, String> names = new HashMap<>();
    outputs.forEach(
        (name, tensor) -> {
          if (computed.contains(tensor.name())) {
            names.putIfAbsent(tensor.name(), name);
          }
        });
    return names;
  }

  private ValueInfoProto valueInfo(String name, Tensor tensor) {
    TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
    for (long dimension : tensor.shape().dimensions()) {
      TensorShapeProto.Dimension.Builder axis = shape.addDimBuilder();
      if (dimension < 0) {
        axis.setDimParam(symbols.get((int) (-1 - dimension)));
      } else {
        axis.setDimValue(dimension);
      }
    }
    return ValueInfoProto.newBuilder()
        .setName(name)
        .setType(
            TypeProto.newBuilder()
                .setTensorType(
                    TypeProto.Tensor.newBuilder()
                        .setElemType(tensor.type().onnx())
                        .setShape(shape)))
        .build();
  }
}
