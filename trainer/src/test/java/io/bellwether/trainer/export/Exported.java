package io.bellwether.trainer.export;

import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.TensorInfo;
import io.bellwether.trainer.algorithm.LearnerData;
import io.bellwether.trainer.network.NetworkSchema;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Runs exported graphs the way a caller that knows only their inputs and outputs would. */
final class Exported {

  private Exported() {}

  static Scores score(byte[] model, NetworkSchema schema, LearnerData data) throws OrtException {
    long[] request = new long[data.itemOffsets()[data.rows()]];
    for (int row = 0; row < data.rows(); row++) {
      Arrays.fill(request, data.itemOffsets()[row], data.itemOffsets()[row + 1], row);
    }
    return score(model, schema, data.context(), data.history(), data.items(), request);
  }

  static Scores score(
      byte[] model,
      NetworkSchema schema,
      float[] context,
      float[] history,
      float[] items,
      long[] request)
      throws OrtException {
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    long requests = context.length / schema.context().size();
    Map<String, OnnxTensor> inputs = new HashMap<>();
    List<OnnxTensor> owned = new ArrayList<>();
    try (OrtSession session = environment.createSession(model, new OrtSession.SessionOptions())) {
      inputs.put("context", tensor(owned, context, requests, schema.context().size()));
      inputs.put("items", tensor(owned, items, request.length, schema.item().size()));
      inputs.put(
          "request",
          OnnxTensor.createTensor(
              environment, LongBuffer.wrap(request), new long[] {request.length}));
      owned.add(inputs.get("request"));
      if (schema.hasHistory()) {
        inputs.put(
            "history",
            tensor(owned, history, requests, schema.historyLength(), schema.history().size()));
      }
      try (OrtSession.Result result = session.run(inputs)) {
        return new Scores(floats(result, "logits"), floats(result, "values"));
      }
    } finally {
      owned.forEach(OnnxTensor::close);
    }
  }

  private static OnnxTensor tensor(List<OnnxTensor> owned, float[] values, long... shape)
      throws OrtException {
    OnnxTensor tensor =
        OnnxTensor.createTensor(OrtEnvironment.getEnvironment(), FloatBuffer.wrap(values), shape);
    owned.add(tensor);
    return tensor;
  }

  private static float[] floats(OrtSession.Result result, String name) {
    FloatBuffer buffer = ((OnnxTensor) result.get(name).orElseThrow()).getFloatBuffer();
    float[] values = new float[buffer.remaining()];
    buffer.get(values);
    return values;
  }

  static long[] shape(Map<String, NodeInfo> nodes, String name) {
    return ((TensorInfo) Objects.requireNonNull(nodes.get(name)).getInfo()).getShape();
  }

  static float[] context(NetworkSchema schema, LearnerData data, int row) {
    int width = schema.context().size();
    return Arrays.copyOfRange(data.context(), row * width, (row + 1) * width);
  }

  static float[] history(NetworkSchema schema, LearnerData data, int row) {
    int width = schema.historyLength() * schema.history().size();
    return Arrays.copyOfRange(data.history(), row * width, (row + 1) * width);
  }

  static float[] item(NetworkSchema schema, LearnerData data, int candidate) {
    int width = schema.item().size();
    return Arrays.copyOfRange(data.items(), candidate * width, (candidate + 1) * width);
  }

  static LearnerData withItems(LearnerData data, float[] items) {
    return new LearnerData(
        data.context(),
        data.history(),
        data.itemOffsets(),
        items,
        data.closed(),
        data.action(),
        data.propensity(),
        data.rewards(),
        data.terminated(),
        data.next(),
        data.rowId(),
        data.weight());
  }
}
