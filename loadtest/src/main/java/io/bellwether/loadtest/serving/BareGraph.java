package io.bellwether.loadtest.serving;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import io.bellwether.ingestion.feature.FeatureLayout;
import io.bellwether.policy.scoring.CounterRandom;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * ONNX Runtime by itself on a policy's graph: one request after the other on one thread, inputs and
 * the output made beforehand. One of the two floors. Confined to one thread.
 */
final class BareGraph implements AutoCloseable {
  private final OrtEnvironment environment = OrtEnvironment.getEnvironment();
  private final OrtSession session;
  private final Map<String, OnnxTensor> inputs = new HashMap<>();
  private final Map<String, OnnxTensor> outputs = new HashMap<>();

  /**
   * What it takes.
   *
   * @param cpuMillis of one run, mean
   */
  record Times(Latencies latency, double cpuMillis) {}

  BareGraph(byte[] graph, FeatureLayout layout, int candidates) throws OrtException {
    try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
      options.setIntraOpNumThreads(1);
      options.setInterOpNumThreads(1);
      options.setOptimizationLevel(OrtSession.SessionOptions.OptLevel.ALL_OPT);
      session = environment.createSession(graph, options);
    }
    put("context", 1, layout.contextWidth());
    if (layout.historyLength() > 0) {
      put("history", 1, layout.historyLength(), layout.historyWidth());
    }
    put("items", candidates, layout.itemWidth());
    LongBuffer zeros =
        ByteBuffer.allocateDirect(candidates * Long.BYTES)
            .order(ByteOrder.nativeOrder())
            .asLongBuffer();
    inputs.put("request", OnnxTensor.createTensor(environment, zeros, new long[] {candidates}));
    outputs.put(
        "logits",
        OnnxTensor.createTensor(environment, floats(candidates), new long[] {candidates}));
  }

  /** Runs for a while. */
  Times run(long durationNanos) throws OrtException {
    Latencies latency = new Latencies();
    var threads = ManagementFactory.getThreadMXBean();
    long cpuBefore = threads.getCurrentThreadCpuTime();
    long now = System.nanoTime();
    long end = now + durationNanos;
    while (now - end < 0) {
      session.run(inputs, Set.of(), outputs).close();
      long after = System.nanoTime();
      latency.record(after - now);
      now = after;
    }
    double cpuMillis = (threads.getCurrentThreadCpuTime() - cpuBefore) / 1e6 / latency.count();
    return new Times(latency, cpuMillis);
  }

  @Override
  public void close() throws OrtException {
    inputs.values().forEach(OnnxTensor::close);
    outputs.values().forEach(OnnxTensor::close);
    session.close();
  }

  private void put(String name, long... shape) throws OrtException {
    int size = 1;
    for (long each : shape) {
      size *= (int) each;
    }
    FloatBuffer numbers = floats(size);
    for (int i = 0; i < size; i++) {
      numbers.put(i, (float) CounterRandom.normal(name.hashCode(), 0, i, 0, 0));
    }
    inputs.put(name, OnnxTensor.createTensor(environment, numbers, shape));
  }

  private static FloatBuffer floats(int size) {
    return ByteBuffer.allocateDirect(size * Float.BYTES)
        .order(ByteOrder.nativeOrder())
        .asFloatBuffer();
  }
}
