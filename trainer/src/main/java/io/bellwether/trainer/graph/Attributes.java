package io.bellwether.trainer.graph;

import ai.onnx.proto.OnnxMl.AttributeProto;
import com.google.protobuf.ByteString;
import java.util.Arrays;

/** Attributes of ONNX operators. */
final class Attributes {

  private Attributes() {}

  static AttributeProto integer(String name, long value) {
    return AttributeProto.newBuilder()
        .setName(name)
        .setType(AttributeProto.AttributeType.INT)
        .setI(value)
        .build();
  }

  static AttributeProto integers(String name, long... values) {
    return AttributeProto.newBuilder()
        .setName(name)
        .setType(AttributeProto.AttributeType.INTS)
        .addAllInts(Arrays.stream(values).boxed().toList())
        .build();
  }

  static AttributeProto text(String name, String value) {
    return AttributeProto.newBuilder()
        .setName(name)
        .setType(AttributeProto.AttributeType.STRING)
        .setS(ByteString.copyFromUtf8(value))
        .build();
  }
}
