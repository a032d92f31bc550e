package io.bellwether.policy.scoring;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import io.bellwether.policy.schema.FeatureSchema;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A policy graph, open and ready to score. Serving, offline evaluation and replay all score through
 * this class.
 *
 * <p>Owns one native session, which lives until {@link #close}; whoever opened the scorer closes
 * it, after the last call of {@link #score} has returned ({@link LivePolicy} sees to that where
 * versions are swapped). Thread-safe: calls run in parallel, each on its caller's thread. No
 * session has threads of its own, so any number of them can be open.
 *
 * <p>The graph takes {@code context [R, contextWidth]}, {@code history [R, historyLength,
 * historyWidth]} (where the schema has one), {@code items [N, itemWidth]} and the int64 {@code
 * request [N]}, and gives {@code logits [N]} and {@code values [N, signals]} (where the schema has
 * signals). A row's last bits may depend on its batch.
 */
public final class Scorer implements AutoCloseable {

  private static final int[] WARM_UP_SIZES = {1, 2, 7};
  private static final double ROW_TOLERANCE = 1e-5;

  private final FeatureSchema schema;
  private final OrtEnvironment environment;
  private final OrtSession session;
  private final Set<String> outputs;
  private volatile int worthGathering = 1;

  private Scorer(FeatureSchema schema, OrtEnvironment environment, OrtSession session) {
    this.schema = schema;
    this.environment = environment;
    this.session = session;
    outputs =
        schema.signals().isEmpty()
            ? Set.of(GraphContract.LOGITS)
            : Set.of(GraphContract.LOGITS, GraphContract.VALUES);
  }

  /** Opens a graph on the CPU, as {@link #open(byte[], FeatureSchema, Device)} says. */
  public static Scorer open(byte[] graph, FeatureSchema schema) {
    return open(graph, schema, Device.CPU);
  }

  /**
   * Opens a graph.
   *
   * @param graph a serialised ONNX model
   * @param device where it is asked to run; {@link Placement} tells where it does
   * @throws GraphMismatchException where its inputs and outputs are not those of the schema
   * @throws ScoringException where it is not a model that can be run, or the device is not there
   */
  public static Scorer open(byte[] graph, FeatureSchema schema, Device device) {
    try (OrtSession.SessionOptions options = device.options()) {
      return open(graph, schema, options);
    } catch (OrtException e) {
      throw new ScoringException(
          "cannot open a graph of %d bytes on %s".formatted(graph.length, device), e);
    }
  }

  /** The same with options of the caller, who closes them. */
  static Scorer open(byte[] graph, FeatureSchema schema, OrtSession.SessionOptions options)
      throws OrtException {
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    OrtSession session = environment.createSession(graph, options);
    try {
      List<String> mismatches =
          new GraphContract(schema).mismatches(session.getInputInfo(), session.getOutputInfo());
      if (!mismatches.isEmpty()) {
        throw new GraphMismatchException(mismatches);
      }
      return new Scorer(schema, environment, session);
    } catch (OrtException | RuntimeException e) {
      session.close();
      throw e;
    }
  }

  /**
   * Scores every candidate of the batch.
   *
   * @throws IllegalArgumentException where the batch was encoded to another schema
   * @throws ScoringException where the graph fails
   */
  public ScoredBatch score(ScoringBatch batch) {
    checkSchema(batch);
    int signals = schema.signals().size();
    if (batch.candidates() == 0) {
      return new ScoredBatch(batch.bounds(), new float[0], new float[0], signals);
    }
    try (Tensors tensors = new Tensors(environment, batch);
        OrtSession.Result result = session.run(tensors.inputs(), outputs)) {
      float[] logits = floats(result, GraphContract.LOGITS, batch.candidates());
      float[] values =
          signals == 0
              ? new float[0]
              : floats(result, GraphContract.VALUES, batch.candidates() * signals);
      return new ScoredBatch(batch.bounds(), logits, values, signals);
    } catch (OrtException e) {
      throw new ScoringException(
          "cannot score %d requests with %d candidates"
              .formatted(batch.requests(), batch.candidates()),
          e);
    }
  }

  /** Runs the graph on tensors over a batch; the logits are written into theirs, in place. */
  void run(ScoringBatch batch, Tensors tensors) throws OrtException {
    checkSchema(batch);
    session.run(tensors.inputs(), tensors.outputs()).close();
  }

  /**
   * Runs the graph on batches of several sizes, so that the first real request is not the first of
   * all, and so that a graph that only works at the size at which it was exported is found out. All
   * features are 0, the one value that every column allows; hence all rows must agree.
   *
   * @throws ScoringException where the graph fails, gives a number that is not finite, or gives
   *     rows that depend on the size of the batch by more than 1e-5
   */
  public void warmUp() {
    ScoringBatch batch = new ScoringBatch(schema);
    float[] context = new float[schema.contextWidth()];
    float[] history = new float[schema.historySize()];
    float expected = Float.NaN;
    for (int requests : WARM_UP_SIZES) {
      for (int candidates : WARM_UP_SIZES) {
        batch.clear();
        for (int i = 0; i < requests; i++) {
          batch.add(context, history, new float[candidates * schema.itemWidth()]);
        }
        ScoredBatch scored = score(batch);
        expected = Float.isNaN(expected) ? scored.logits()[0] : expected;
        checkRows(scored, expected);
      }
    }
    worthGathering = Pace.measured(this).worthGathering();
  }

  /**
   * Candidates up to which it is worth scoring several requests together, as {@link #warmUp}
   * measured it: beyond, a run only gets longer. 1 before.
   */
  public int worthGathering() {
    return worthGathering;
  }

  /** What the graph takes and gives. */
  public FeatureSchema schema() {
    return schema;
  }

  /** The text properties that the exporter wrote into the graph. */
  public Map<String, String> metadata() {
    try {
      return Map.copyOf(session.getMetadata().getCustomMetadata());
    } catch (OrtException e) {
      throw new ScoringException("cannot read the graph's metadata", e);
    }
  }

  /** Ends the profile that the session's options asked for; the file that holds it. */
  Path endProfile() throws OrtException {
    return Path.of(session.endProfiling());
  }

  @Override
  public void close() {
    try {
      session.close();
    } catch (OrtException e) {
      throw new ScoringException("cannot close a session", e);
    }
  }

  private void checkSchema(ScoringBatch batch) {
    if (!batch.schema().equals(schema)) {
      throw new IllegalArgumentException(
          "the batch was encoded to %s, the graph takes %s".formatted(batch.schema(), schema));
    }
  }

  private static float[] floats(OrtSession.Result result, String name, int expected) {
    OnnxTensor tensor = (OnnxTensor) result.get(name).orElseThrow();
    float[] numbers = tensor.getFloatBuffer().array();
    if (numbers.length != expected) {
      throw new ScoringException(
          "output %s holds %d numbers, expected %d".formatted(name, numbers.length, expected));
    }
    return numbers;
  }

  private static void checkRows(ScoredBatch scored, float expected) {
    float[] logits = scored.logits();
    for (int i = 0; i < logits.length; i++) {
      double tolerance = ROW_TOLERANCE * Math.max(1, Math.abs(expected));
      if (!(Math.abs(logits[i] - expected) <= tolerance)) {
        throw new ScoringException(
            "row %d of %d gives %s for features of 0, a single row gives %s"
                .formatted(i, logits.length, logits[i], expected));
      }
    }
  }
}
