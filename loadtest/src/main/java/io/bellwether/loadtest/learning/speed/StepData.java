package io.bellwether.loadtest.learning.speed;

import io.bellwether.policy.scoring.CounterRandom;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Batches of a synthetic problem and first weights, the same for every tool: drawn here, and left
 * in plain little-endian files that any tool reads. Batches are used in turn, again and again.
 *
 * <p>Layout: {@code states[(batch * ROWS + row) * FEATURES + feature]}, everything else by batch
 * and row. Not copied.
 *
 * @param continues 1 where the episode goes on, 0 where it ended
 * @param weights of each vector of parameters: its networks one after the other
 */
@SuppressWarnings("ArrayRecordComponent")
record StepData(
    float[] states,
    float[] nextStates,
    long[] actions,
    float[] rewards,
    float[] continues,
    Map<String, float[]> weights) {

  static final int ROWS = 256;
  static final int FEATURES = 64;
  static final int ACTIONS = 20;
  static final int BATCHES = 8;

  private static final double ENDS = 0.05;
  private static final int STATE = 1;
  private static final int NEXT = 2;
  private static final int ACTION = 3;
  private static final int REWARD = 4;
  private static final int END = 5;
  private static final int WEIGHT = 6;

  /** Draws everything that a step needs: the same arguments give the same numbers. */
  static StepData draw(LearningStep step, int hidden, long seed) {
    int rows = BATCHES * ROWS;
    float[] states = new float[rows * FEATURES];
    float[] nextStates = new float[rows * FEATURES];
    for (int i = 0; i < states.length; i++) {
      states[i] = (float) CounterRandom.normal(seed, STATE, i, 0, 0);
      nextStates[i] = (float) CounterRandom.normal(seed, NEXT, i, 0, 0);
    }
    long[] actions = new long[rows];
    float[] rewards = new float[rows];
    float[] continues = new float[rows];
    for (int row = 0; row < rows; row++) {
      actions[row] = (long) (ACTIONS * CounterRandom.uniform(seed, ACTION, row, 0, 0));
      rewards[row] = (float) CounterRandom.normal(seed, REWARD, row, 0, 0);
      continues[row] = CounterRandom.uniform(seed, END, row, 0, 0) < ENDS ? 0 : 1;
    }
    Map<String, float[]> weights = new TreeMap<>();
    step.networks(hidden)
        .forEach((name, networks) -> weights.put(name, weights(networks, seed, weights.size())));
    return new StepData(states, nextStates, actions, rewards, continues, weights);
  }

  private static float[] weights(List<HeadNetwork> networks, long seed, int vector) {
    float[] all = new float[networks.stream().mapToInt(HeadNetwork::size).sum()];
    int from = 0;
    for (HeadNetwork network : networks) {
      int begin = from;
      float[] own = network.initial(i -> CounterRandom.uniform(seed, WEIGHT, vector, begin + i, 0));
      System.arraycopy(own, 0, all, begin, own.length);
      from += own.length;
    }
    return all;
  }

  /** Leaves everything in a folder, one file each. */
  void write(Path folder) throws IOException {
    Files.createDirectories(folder);
    write(folder.resolve("states.f32"), states);
    write(folder.resolve("nextStates.f32"), nextStates);
    ByteBuffer bytes =
        ByteBuffer.allocate(actions.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asLongBuffer().put(actions);
    Files.write(folder.resolve("actions.i64"), bytes.array());
    write(folder.resolve("rewards.f32"), rewards);
    write(folder.resolve("continues.f32"), continues);
    for (Map.Entry<String, float[]> network : weights.entrySet()) {
      write(folder.resolve(network.getKey() + ".f32"), network.getValue());
    }
  }

  private static void write(Path file, float[] values) throws IOException {
    ByteBuffer bytes =
        ByteBuffer.allocate(values.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asFloatBuffer().put(values);
    Files.write(file, bytes.array());
  }
}
