package io.bellwether.trainer.algorithm;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.trainer.network.Parameters;
import io.bellwether.trainer.network.PolicyNetworks;
import java.util.stream.IntStream;

/**
 * A network that says what policies are worth from a state and an action on. Immutable; arrays are
 * shared.
 *
 * @param networks whose critic has one output per policy and signal, policy by policy
 * @param critic its weights
 * @param scale per output, its unit: multiply to get the signal's own
 * @param policies how many it knows
 */
@SuppressWarnings("ArrayRecordComponent")
public record FittedCritic(
    PolicyNetworks networks, Parameters critic, float[] scale, int policies) {

  private static final int BATCH = 256;

  /**
   * Values of rows in the signals' own units, {@code [policy][signal][row]}.
   *
   * @param logged {@code Q(s, a)} of the logged action
   * @param expected {@code V(s)}: mean over the candidates under the policy
   */
  @SuppressWarnings("ArrayRecordComponent")
  public record Values(double[][][] logged, double[][][] expected) {}

  /**
   * The values of all rows of data that has the same columns as what was learned from.
   *
   * @param chances as for {@link FittedQ#fit}
   */
  public Values of(OrtEnvironment environment, LearnerData data, float[][] chances) {
    int rows = data.rows();
    float[] logged = new float[rows * scale.length];
    float[] expected = new float[rows * scale.length];
    TrainingPlan plan = TrainingPlan.of(0, 1).withBatchSize(BATCH).withNetworks(networks.config());
    try (CriticValues values = new CriticValues(environment, networks, plan, data, chances)) {
      values.load(critic.values());
      values.fill(IntStream.range(0, rows).toArray(), rows, logged, expected);
    }
    return new Values(inUnits(logged, rows), inUnits(expected, rows));
  }

  private double[][][] inUnits(float[] scaled, int rows) {
    int signals = scale.length / policies;
    double[][][] values = new double[policies][signals][rows];
    for (int row = 0; row < rows; row++) {
      for (int output = 0; output < scale.length; output++) {
        values[output / signals][output % signals][row] =
            (double) scaled[row * scale.length + output] * scale[output];
      }
    }
    return values;
  }
}
