package io.bellwether.trainer.graph;

import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A graph of fixed shapes that is run again and again, with state that stays in native memory.
 *
 * <p>A state (parameters, moments, target networks) is an input and an output of the graph. Its two
 * tensors over direct buffers swap roles at every {@link #step}, so a step copies nothing: {@link
 * #read} sees what the last step wrote. All other inputs are feeds, filled by the caller before a
 * step; all other outputs are results.
 *
 * <p>One intra-op thread, operators in sequence: the same inputs give the same bits, and several
 * learners share a JVM. Confined to one thread. Owns the session and its tensors until {@link
 * #close}.
 */
public final class TrainingSession implements AutoCloseable {

  /** A value that the graph carries from one step to the next. */
  public record State(String name, Tensor current, Tensor next) {
    public State {
      if (!current.shape().equals(next.shape())) {
        throw new IllegalArgumentException(
            name + " changes from " + current.shape() + " to " + next.shape());
      }
    }
  }

  private static final String NEXT = ".next";

  private final OrtSession session;
  private final List<OnnxTensor> owned = new ArrayList<>();
  private final Map<String, ByteBuffer> feeds = new LinkedHashMap<>();
  private final Map<String, ByteBuffer> results = new LinkedHashMap<>();
  private final List<Map<String, ByteBuffer>> states =
      List.of(new LinkedHashMap<>(), new LinkedHashMap<>());
  private final List<Map<String, OnnxTensor>> inputs =
      List.of(new LinkedHashMap<>(), new LinkedHashMap<>());
  private final List<Map<String, OnnxTensor>> outputs =
      List.of(new LinkedHashMap<>(), new LinkedHashMap<>());
  private int current;

  public TrainingSession(OrtEnvironment environment, Graph graph, List<State> stateList) {
    Map<Tensor, String> stateNames = new LinkedHashMap<>();
    for (State state : stateList) {
      stateNames.put(state.current, state.name);
      graph.output(state.name + NEXT, state.next);
    }
    try {
      session = open(environment, graph.toModel("step", new TreeMap<>()));
      for (Tensor input : graph.inputs()) {
        if (graph.parts().containsValue(input)) {
          continue;
        }
        if (stateNames.containsKey(input)) {
          addState(environment, stateNames.get(input), input);
        } else {
          addFeed(environment, input);
        }
      }
      for (Map.Entry<Graph.Part, Tensor> part : graph.parts().entrySet()) {
        addPart(environment, part.getKey(), part.getValue(), stateNames);
      }
      for (Map.Entry<String, Tensor> output : graph.outputs().entrySet()) {
        if (!output.getKey().endsWith(NEXT)) {
          addResult(environment, output.getKey(), output.getValue());
        }
      }
    } catch (OrtException refused) {
      throw new GraphException("opening a training graph", refused);
    }
  }

  private static OrtSession open(OrtEnvironment environment, byte[] model) throws OrtException {
    try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
      options.setIntraOpNumThreads(1);
      options.setInterOpNumThreads(1);
      options.setExecutionMode(OrtSession.SessionOptions.ExecutionMode.SEQUENTIAL);
      options.setOptimizationLevel(OrtSession.SessionOptions.OptLevel.ALL_OPT);
      options.addConfigEntry("session.intra_op.allow_spinning", "0");
      return environment.createSession(model, options);
    }
  }

  private void addState(OrtEnvironment environment, String name, Tensor tensor)
      throws OrtException {
    for (int side = 0; side < 2; side++) {
      ByteBuffer buffer = buffer(tensor);
      OnnxTensor wrapped = wrap(environment, tensor, buffer);
      states.get(side).put(name, buffer);
      inputs.get(side).put(tensor.name(), wrapped);
      outputs.get(1 - side).put(name + NEXT, wrapped);
    }
  }

  private void addFeed(OrtEnvironment environment, Tensor tensor) throws OrtException {
    ByteBuffer buffer = buffer(tensor);
    OnnxTensor wrapped = wrap(environment, tensor, buffer);
    feeds.put(tensor.name(), buffer);
    inputs.forEach(side -> side.put(tensor.name(), wrapped));
  }

  private void addPart(
      OrtEnvironment environment, Graph.Part part, Tensor tensor, Map<Tensor, String> stateNames)
      throws OrtException {
    int from = Math.toIntExact(part.from() * tensor.type().bytes());
    int bytes = Math.toIntExact(tensor.shape().size() * tensor.type().bytes());
    String state = stateNames.get(part.whole());
    for (int side = 0; side < 2; side++) {
      ByteBuffer whole =
          state == null ? known(feeds, part.whole().name()) : known(states.get(side), state);
      ByteBuffer buffer = whole.slice(from, bytes).order(ByteOrder.nativeOrder());
      inputs.get(side).put(tensor.name(), wrap(environment, tensor, buffer));
    }
  }

  private void addResult(OrtEnvironment environment, String name, Tensor tensor)
      throws OrtException {
    ByteBuffer buffer = buffer(tensor);
    OnnxTensor wrapped = wrap(environment, tensor, buffer);
    results.put(name, buffer);
    outputs.forEach(side -> side.put(name, wrapped));
  }

  private static ByteBuffer buffer(Tensor tensor) {
    int bytes = Math.toIntExact(tensor.shape().size() * tensor.type().bytes());
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
  }

  private OnnxTensor wrap(OrtEnvironment environment, Tensor tensor, ByteBuffer buffer)
      throws OrtException {
    OnnxJavaType type =
        switch (tensor.type()) {
          case FLOAT -> OnnxJavaType.FLOAT;
          case INT64 -> OnnxJavaType.INT64;
          case BOOL -> OnnxJavaType.BOOL;
        };
    OnnxTensor wrapped =
        OnnxTensor.createTensor(environment, buffer, tensor.shape().toArray(), type);
    owned.add(wrapped);
    return wrapped;
  }

  /** Whether the graph takes this feed; a graph declares only what its losses use. */
  public boolean hasFeed(String feed) {
    return feeds.containsKey(feed);
  }

  /** Whether the graph carries this state. */
  public boolean hasState(String state) {
    return states.get(0).containsKey(state);
  }

  /** The names of all states. */
  public Set<String> states() {
    return Collections.unmodifiableSet(states.get(0).keySet());
  }

  /**
   * The floats of a feed, to be filled before {@link #step}; what is not written keeps its last
   * value.
   */
  public FloatBuffer floats(String feed) {
    return known(feeds, feed).asFloatBuffer();
  }

  /**
   * The integers of a feed, to be filled before {@link #step}; what is not written keeps its last
   * value.
   */
  public LongBuffer longs(String feed) {
    return known(feeds, feed).asLongBuffer();
  }

  /** Sets a feed of one float. */
  public void set(String feed, float value) {
    known(feeds, feed).putFloat(0, value);
  }

  /** Runs the graph once: results are there, and states have moved on. */
  public void step() {
    try (OrtSession.Result result =
        session.run(inputs.get(current), Set.of(), outputs.get(current))) {
      current = 1 - current;
    } catch (OrtException failed) {
      throw new GraphException("running a training step", failed);
    }
  }

  /** A result of one element, from the last step. */
  public float scalar(String result) {
    return known(results, result).getFloat(0);
  }

  /** A copy of a result, from the last step. */
  public float[] values(String result) {
    return copy(known(results, result));
  }

  /** A copy of a state as the next step will see it. */
  public float[] read(String state) {
    return copy(known(states.get(current), state));
  }

  /** Sets a state that the next step will start from. */
  public void write(String state, float[] values) {
    FloatBuffer target = known(states.get(current), state).asFloatBuffer();
    if (values.length != target.capacity()) {
      throw new IllegalArgumentException(
          state + " has " + target.capacity() + " values, not " + values.length);
    }
    target.put(values);
  }

  /** Copies a result of the last step. */
  public void copy(String result, float[] target) {
    known(results, result).asFloatBuffer().get(target);
  }

  /**
   * Sets every feed that another session knows by its name, as a state or as a feed of its own, to
   * what is there. Several threads may do so at once while the other session rests.
   */
  public void takeOver(TrainingSession other) {
    feeds.forEach(
        (name, feed) -> {
          Map<String, ByteBuffer> held =
              other.hasFeed(name) ? other.feeds : other.states.get(other.current);
          if (held.containsKey(name)) {
            feed.put(0, known(held, name), 0, feed.capacity());
          }
        });
  }

  private static float[] copy(ByteBuffer buffer) {
    float[] values = new float[buffer.capacity() / Float.BYTES];
    buffer.asFloatBuffer().get(values);
    return values;
  }

  private static ByteBuffer known(Map<String, ByteBuffer> buffers, String name) {
    ByteBuffer buffer = buffers.get(name);
    if (buffer == null) {
      throw new IllegalArgumentException("the graph has no " + name + ", only " + buffers.keySet());
    }
    return buffer;
  }

  @Override
  public void close() {
    owned.forEach(OnnxTensor::close);
    try {
      session.close();
    } catch (OrtException failed) {
      throw new GraphException("closing a training graph", failed);
    }
  }
}
