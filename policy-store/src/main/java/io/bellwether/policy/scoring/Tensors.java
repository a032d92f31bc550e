package io.bellwether.policy.scoring;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import io.bellwether.policy.schema.FeatureSchema;
import java.nio.FloatBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * A batch as tensors over its buffers, whose shapes are those of the batch when this was made;
 * closing it frees the tensors and not the buffers. They can be run again with other numbers in the
 * buffers, as long as the batch has the same shape and has not grown since.
 */
final class Tensors implements AutoCloseable {

  private final Map<String, OnnxTensor> inputs = new HashMap<>();
  private final Map<String, OnnxTensor> outputs = new HashMap<>();

  /** Tensors of what goes in alone: the graph's outputs get memory of their own. */
  Tensors(OrtEnvironment environment, ScoringBatch batch) throws OrtException {
    FeatureSchema schema = batch.schema();
    long requests = batch.requests();
    long candidates = batch.candidates();
    try {
      inputs.put(
          GraphContract.CONTEXT,
          OnnxTensor.createTensor(
              environment, batch.filledContext(), new long[] {requests, schema.contextWidth()}));
      if (schema.hasHistory()) {
        inputs.put(
            GraphContract.HISTORY,
            OnnxTensor.createTensor(
                environment,
                batch.filledHistory(),
                new long[] {requests, schema.historyLength(), schema.historyWidth()}));
      }
      inputs.put(
          GraphContract.ITEMS,
          OnnxTensor.createTensor(
              environment, batch.filledItems(), new long[] {candidates, schema.itemWidth()}));
      inputs.put(
          GraphContract.REQUEST,
          OnnxTensor.createTensor(environment, batch.filledRequest(), new long[] {candidates}));
    } catch (OrtException | RuntimeException e) {
      close();
      throw e;
    }
  }

  /**
   * Also a tensor for the logits to be written into.
   *
   * @param logits direct, with {@code batch.candidates()} floats remaining
   */
  Tensors(OrtEnvironment environment, ScoringBatch batch, FloatBuffer logits) throws OrtException {
    this(environment, batch);
    try {
      outputs.put(
          GraphContract.LOGITS,
          OnnxTensor.createTensor(environment, logits, new long[] {batch.candidates()}));
    } catch (OrtException | RuntimeException e) {
      close();
      throw e;
    }
  }

  Map<String, OnnxTensor> inputs() {
    return inputs;
  }

  Map<String, OnnxTensor> outputs() {
    return outputs;
  }

  @Override
  public void close() {
    inputs.values().forEach(OnnxTensor::close);
    outputs.values().forEach(OnnxTensor::close);
  }
}
