package io.bellwether.trainer.lineage;

import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import com.google.protobuf.InvalidProtocolBufferException;
import io.bellwether.trainer.recipe.SurfaceText;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How two files of a version differ: where, and for graphs which weights and by how much. */
final class FileDifference {

  private static final String GRAPH = ".onnx";
  private static final int NAMED = 3;

  private FileDifference() {}

  /** Empty where both are there and have the same bytes, or neither is there. */
  static Optional<Reproduction.Difference> between(
      String path, byte @Nullable [] was, byte @Nullable [] is) {
    if (Arrays.equals(was, is)) {
      return Optional.empty();
    }
    return Optional.of(
        new Reproduction.Difference(
            "file " + path,
            words(was),
            words(is) + (was != null && is != null ? ": " + how(path, was, is) : "")));
  }

  private static String words(byte @Nullable [] file) {
    return file == null
        ? "absent"
        : "sha256 %s (%d bytes)".formatted(SurfaceText.digest(file), file.length);
  }

  private static String how(String path, byte[] was, byte[] is) {
    int common = Math.min(was.length, is.length);
    int others = Math.abs(was.length - is.length);
    for (int i = 0; i < common; i++) {
      others += was[i] == is[i] ? 0 : 1;
    }
    String bytes = "%d bytes differ, the first at %d".formatted(others, Arrays.mismatch(was, is));
    return path.endsWith(GRAPH) ? bytes + weights(was, is) : bytes;
  }

  private static String weights(byte[] was, byte[] is) {
    try {
      Map<String, FloatBuffer> before = floats(ModelProto.parseFrom(was));
      Map<String, FloatBuffer> after = floats(ModelProto.parseFrom(is));
      List<String> differ = new ArrayList<>();
      double largest = 0;
      for (Map.Entry<String, FloatBuffer> tensor : before.entrySet()) {
        FloatBuffer other = after.get(tensor.getKey());
        double difference = other == null ? Double.NaN : largest(tensor.getValue(), other);
        if (difference != 0) {
          differ.add(tensor.getKey());
          largest = Double.isNaN(difference) ? largest : Math.max(largest, difference);
        }
      }
      if (differ.isEmpty()) {
        return "; all weights are equal";
      }
      differ.sort(null);
      return "; %d of %d weight tensors differ, by at most %s (%s%s)"
          .formatted(
              differ.size(),
              before.size(),
              (float) largest,
              String.join(", ", differ.subList(0, Math.min(NAMED, differ.size()))),
              differ.size() > NAMED ? ", ..." : "");
    } catch (InvalidProtocolBufferException e) {
      return "; one of them is no graph";
    }
  }

  private static double largest(FloatBuffer one, FloatBuffer other) {
    if (one.limit() != other.limit()) {
      return Double.NaN;
    }
    double largest = 0;
    for (int i = 0; i < one.limit(); i++) {
      largest = Math.max(largest, Math.abs((double) one.get(i) - other.get(i)));
    }
    return largest;
  }

  private static Map<String, FloatBuffer> floats(ModelProto model) {
    Map<String, FloatBuffer> floats = new HashMap<>();
    for (TensorProto tensor : model.getGraph().getInitializerList()) {
      if (tensor.getDataType() == TensorProto.DataType.FLOAT.getNumber()) {
        floats.put(tensor.getName(), values(tensor));
      }
    }
    return floats;
  }

  private static FloatBuffer values(TensorProto tensor) {
    if (tensor.hasRawData()) {
      return ByteBuffer.wrap(tensor.getRawData().toByteArray())
          .order(ByteOrder.LITTLE_ENDIAN)
          .asFloatBuffer();
    }
    FloatBuffer values = FloatBuffer.allocate(tensor.getFloatDataCount());
    for (int i = 0; i < tensor.getFloatDataCount(); i++) {
      values.put(i, tensor.getFloatData(i));
    }
    return values;
  }
}
