package io.bellwether.trainer.graph;

import ai.onnx.proto.OnnxMl.TensorProto;

/** What the elements of a {@link Tensor} are. Only {@link #FLOAT} carries gradients. */
public enum ElementType {
  FLOAT(TensorProto.DataType.FLOAT, Float.BYTES),
  INT64(TensorProto.DataType.INT64, Long.BYTES),
  BOOL(TensorProto.DataType.BOOL, 1);

  private final TensorProto.DataType onnx;
  private final int bytes;

  ElementType(TensorProto.DataType onnx, int bytes) {
    this.onnx = onnx;
    this.bytes = bytes;
  }

  int onnx() {
    return onnx.getNumber();
  }

  int bytes() {
    return bytes;
  }
}
