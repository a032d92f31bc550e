package io.bellwether.policy.scoring;

import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.TensorInfo;
import io.bellwether.policy.schema.FeatureSchema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What every policy graph must look like for its feature schema: names, element types, ranks, fixed
 * widths, and axes that are free. A graph that froze an axis at export is refused here. Immutable.
 */
final class GraphContract {

  static final String CONTEXT = "context";
  static final String HISTORY = "history";
  static final String ITEMS = "items";
  static final String REQUEST = "request";
  static final String LOGITS = "logits";
  static final String VALUES = "values";

  /** How ONNX Runtime reports an axis that may have any length. */
  private static final long FREE = -1;

  private final Map<String, Tensor> inputs = new LinkedHashMap<>();
  private final Map<String, Tensor> outputs = new LinkedHashMap<>();

  GraphContract(FeatureSchema schema) {
    inputs.put(CONTEXT, floats(FREE, schema.contextWidth()));
    if (schema.hasHistory()) {
      inputs.put(HISTORY, floats(FREE, schema.historyLength(), schema.historyWidth()));
    }
    inputs.put(ITEMS, floats(FREE, schema.itemWidth()));
    inputs.put(REQUEST, new Tensor(OnnxJavaType.INT64, List.of(FREE)));
    outputs.put(LOGITS, floats(FREE));
    if (!schema.signals().isEmpty()) {
      outputs.put(VALUES, floats(FREE, schema.signals().size()));
    }
  }

  /** Each difference from the contract in one phrase that names what was expected and found. */
  List<String> mismatches(Map<String, NodeInfo> foundInputs, Map<String, NodeInfo> foundOutputs) {
    List<String> mismatches = new ArrayList<>();
    compare("input", inputs, foundInputs, mismatches);
    compare("output", outputs, foundOutputs, mismatches);
    for (String name : new TreeSet<>(foundInputs.keySet())) {
      if (!inputs.containsKey(name)) {
        mismatches.add("input " + name + ": expected none, found " + describe(foundInputs, name));
      }
    }
    return mismatches;
  }

  private static void compare(
      String side,
      Map<String, Tensor> expected,
      Map<String, NodeInfo> found,
      List<String> mismatches) {
    expected.forEach(
        (name, tensor) -> {
          String actual = describe(found, name);
          if (!tensor.describe().equals(actual)) {
            mismatches.add(
                "%s %s: expected %s, found %s".formatted(side, name, tensor.describe(), actual));
          }
        });
  }

  private static String describe(Map<String, NodeInfo> nodes, String name) {
    NodeInfo node = nodes.get(name);
    if (node == null) {
      return "none among " + new TreeSet<>(nodes.keySet());
    }
    return node.getInfo() instanceof TensorInfo info
        ? new Tensor(info.type, Arrays.stream(info.getShape()).boxed().toList()).describe()
        : node.getInfo().toString();
  }

  private static Tensor floats(long... shape) {
    return new Tensor(OnnxJavaType.FLOAT, Arrays.stream(shape).boxed().toList());
  }

  private record Tensor(OnnxJavaType type, List<Long> shape) {

    String describe() {
      return shape.stream()
          .map(length -> length == FREE ? "any" : length.toString())
          .collect(Collectors.joining(", ", type.name().toLowerCase(Locale.ROOT) + " [", "]"));
    }
  }
}
