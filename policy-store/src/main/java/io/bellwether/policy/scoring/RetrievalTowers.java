package io.bellwether.policy.scoring;

import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.TensorInfo;
import io.bellwether.policy.schema.FeatureSchema;
import java.nio.FloatBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Two towers that were distilled from a policy so that its best candidates can be found without
 * scoring all of them: for one request, {@code <query, embedding>} orders items about as the
 * policy's logits do.
 *
 * <p>The graph takes {@code context [R, contextWidth]}, {@code history [R, historyLength,
 * historyWidth]} (where the schema has one) and {@code items [N, itemWidth]}, and gives {@code
 * query [R, d]} and {@code embedding [N, d]}. Owns one native session without threads of its own
 * until {@link #close}, which comes after the last call. Thread-safe.
 */
public final class RetrievalTowers implements AutoCloseable {

  /** The path of the towers among a version's files; a version may have none. */
  public static final String FILE = "retrieval.onnx";

  public static final String QUERY = "query";
  public static final String EMBEDDING = "embedding";

  private final FeatureSchema schema;
  private final OrtEnvironment environment;
  private final OrtSession session;
  private final int width;

  private RetrievalTowers(
      FeatureSchema schema, OrtEnvironment environment, OrtSession session, int width) {
    this.schema = schema;
    this.environment = environment;
    this.session = session;
    this.width = width;
  }

  /**
   * Opens the towers of a version.
   *
   * @param graph a serialised ONNX model
   * @throws ScoringException where it is no such model
   */
  public static RetrievalTowers open(byte[] graph, FeatureSchema schema) {
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
      options.setIntraOpNumThreads(1);
      options.setInterOpNumThreads(1);
      options.addConfigEntry("session.intra_op.allow_spinning", "0");
      options.addConfigEntry("session.inter_op.allow_spinning", "0");
      options.setMemoryPatternOptimization(false);
      OrtSession session = environment.createSession(graph, options);
      try {
        RetrievalTowers towers =
            new RetrievalTowers(schema, environment, session, width(session.getOutputInfo()));
        towers.query(new float[schema.contextWidth()], new float[schema.historySize()]);
        return towers;
      } catch (OrtException | RuntimeException e) {
        session.close();
        throw e;
      }
    } catch (OrtException e) {
      throw new ScoringException("cannot open towers of " + graph.length + " bytes", e);
    }
  }

  private static int width(Map<String, NodeInfo> outputs) {
    NodeInfo query = outputs.get(QUERY);
    NodeInfo embedding = outputs.get(EMBEDDING);
    if (query == null
        || embedding == null
        || !(query.getInfo() instanceof TensorInfo left)
        || !(embedding.getInfo() instanceof TensorInfo right)
        || left.getShape().length != 2
        || right.getShape().length != 2
        || left.getShape()[1] != right.getShape()[1]
        || left.getShape()[1] < 1) {
      throw new ScoringException(
          "towers give query [any, d] and embedding [any, d], found " + outputs);
    }
    return Math.toIntExact(left.getShape()[1]);
  }

  /** Floats of a query and of an embedding. */
  public int width() {
    return width;
  }

  /**
   * What a request looks for.
   *
   * @param context {@code [contextWidth]}
   * @param history {@code [historyLength * historyWidth]}
   * @return {@code [width]}, finite
   */
  public float[] query(float[] context, float[] history) {
    float[] query = run(QUERY, context, history, new float[schema.itemWidth()], 1);
    return checked(query, width);
  }

  /**
   * Where items are.
   *
   * @param items {@code [count * itemWidth]}
   * @return {@code [count * width]}, finite
   */
  public float[] embeddings(float[] items, int count) {
    float[] embeddings =
        run(
            EMBEDDING,
            new float[schema.contextWidth()],
            new float[schema.historySize()],
            items,
            count);
    return checked(embeddings, count * width);
  }

  private float[] run(String output, float[] context, float[] history, float[] items, int count) {
    Map<String, OnnxTensor> tensors = new HashMap<>();
    try {
      tensors.put(GraphContract.CONTEXT, tensor(context, 1, schema.contextWidth()));
      if (schema.hasHistory()) {
        tensors.put(
            GraphContract.HISTORY,
            tensor(history, 1, schema.historyLength(), schema.historyWidth()));
      }
      tensors.put(GraphContract.ITEMS, tensor(items, count, schema.itemWidth()));
      try (OrtSession.Result result = session.run(tensors, Set.of(output))) {
        FloatBuffer floats = ((OnnxTensor) result.get(0)).getFloatBuffer();
        float[] values = new float[floats.remaining()];
        floats.get(values);
        return values;
      }
    } catch (OrtException e) {
      throw new ScoringException("cannot compute " + output + " of " + count + " items", e);
    } finally {
      tensors.values().forEach(OnnxTensor::close);
    }
  }

  private OnnxTensor tensor(float[] values, long... shape) throws OrtException {
    return OnnxTensor.createTensor(environment, FloatBuffer.wrap(values), shape);
  }

  private static float[] checked(float[] values, int expected) {
    if (values.length != expected) {
      throw new ScoringException(
          "towers gave %d numbers, expected %d".formatted(values.length, expected));
    }
    for (float value : values) {
      if (!Float.isFinite(value)) {
        throw new ScoringException("towers gave " + value);
      }
    }
    return values;
  }

  @Override
  public void close() {
    try {
      session.close();
    } catch (OrtException e) {
      throw new ScoringException("cannot close towers", e);
    }
  }
}
