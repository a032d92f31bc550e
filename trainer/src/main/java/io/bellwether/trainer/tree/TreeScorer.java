package io.bellwether.trainer.tree;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import io.bellwether.trainer.graph.GraphException;
import io.bellwether.trainer.network.NetworkSchema;
import io.bellwether.trainer.network.StateRows;
import java.nio.FloatBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * A tree policy that is open: gives the scores of nodes in a state. A score costs as much as one
 * product of an embedding with the trunk; nothing is computed for nodes that are not asked for.
 *
 * <p>Owns one native session without threads of its own until {@link #close}. Thread-safe; what
 * {@link #in} returns belongs to one thread.
 */
public final class TreeScorer implements AutoCloseable {

  private final TrainedTree trained;
  private final NetworkSchema schema;
  private final OrtEnvironment environment = OrtEnvironment.getEnvironment();
  private final OrtSession session;

  private TreeScorer(TrainedTree trained, NetworkSchema schema) throws OrtException {
    this.trained = trained;
    this.schema = schema;
    try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
      options.setIntraOpNumThreads(1);
      options.setInterOpNumThreads(1);
      session = environment.createSession(trained.stateGraph(), options);
    }
  }

  /**
   * Opens a policy.
   *
   * @throws GraphException where its graph cannot be run
   */
  public static TreeScorer open(TrainedTree trained, NetworkSchema schema) {
    try {
      return new TreeScorer(trained, schema);
    } catch (OrtException e) {
      throw new GraphException("cannot open the graph of a tree policy", e);
    }
  }

  /**
   * The scores of nodes in a state.
   *
   * @param context {@code [Dc]}
   * @param history {@code [L * Dh]}
   * @throws GraphException where the graph fails
   */
  public NodeScores in(float[] context, float[] history) {
    Map<String, OnnxTensor> inputs = new HashMap<>();
    try {
      inputs.put(StateRows.CONTEXT, tensor(context, 1, schema.context().size()));
      if (schema.hasHistory()) {
        inputs.put(
            StateRows.HISTORY, tensor(history, 1, schema.historyLength(), schema.history().size()));
      }
      try (OrtSession.Result result = session.run(inputs)) {
        return new State(floats(result, TreeGraph.QUERY), floats(result, TreeGraph.SHARE));
      }
    } catch (OrtException e) {
      throw new GraphException("cannot compute a state of a tree policy", e);
    } finally {
      inputs.values().forEach(OnnxTensor::close);
    }
  }

  private OnnxTensor tensor(float[] values, long... shape) throws OrtException {
    return OnnxTensor.createTensor(environment, FloatBuffer.wrap(values), shape);
  }

  private static float[] floats(OrtSession.Result result, String name) {
    FloatBuffer buffer = ((OnnxTensor) result.get(name).orElseThrow()).getFloatBuffer();
    float[] values = new float[buffer.remaining()];
    buffer.get(values);
    return values;
  }

  @Override
  public void close() {
    try {
      session.close();
    } catch (OrtException e) {
      throw new GraphException("cannot close the session of a tree policy", e);
    }
  }

  private final class State implements NodeScores {
    private final float[] query;
    private final float[] share;
    private final float[] units;

    State(float[] query, float[] share) {
      this.query = query;
      this.share = share;
      units = new float[share.length];
    }

    @Override
    public double of(int id) {
      int width = trained.width();
      float[] embeddings = trained.embeddings();
      float[] nodeShare = trained.nodeShare();
      float[] score = trained.score();
      System.arraycopy(share, 0, units, 0, units.length);
      float sum = 0;
      for (int k = 0; k < width; k++) {
        float value = embeddings[id * width + k];
        sum += query[k] * value;
        int row = k * units.length;
        for (int unit = 0; unit < units.length; unit++) {
          units[unit] += value * nodeShare[row + unit];
        }
      }
      for (int unit = 0; unit < units.length; unit++) {
        sum += Math.max(0, units[unit]) * score[unit];
      }
      return sum;
    }
  }
}
