package io.bellwether.loadtest.evaluation.synthetic;

import io.bellwether.evaluation.distribution.WeightedValues;
import io.bellwether.evaluation.episode.EpisodeSteps;
import io.bellwether.evaluation.episode.StepSignal;
import io.bellwether.evaluation.episode.StepValues;
import io.bellwether.evaluation.episode.TabularEpisodes;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Episodes of equal length in numbered states, one row per step, episode after episode. The arrays
 * are not copied.
 *
 * @param state by row
 * @param action by row
 * @param reward by row
 * @param propensity by row
 * @param target the target policy's chances, {@code [row][action]}
 * @param values a model's values of what is to come, {@code [row][action]}
 * @param discount weight of the next step
 */
@SuppressWarnings("ArrayRecordComponent") // carried, not compared
public record Episodes(
    int count,
    int length,
    int[] state,
    int[] action,
    double[] reward,
    double[] propensity,
    double[][] target,
    double[][] values,
    double discount) {

  public int rows() {
    return count * length;
  }

  /** As the target policy weighs them; a subject each. */
  public EpisodeSteps steps() {
    return EpisodeSteps.single(first(), units(), chances(), propensity, discount);
  }

  /** Rewards with the model's values. */
  public StepSignal signal() {
    double[] prediction = new double[rows()];
    double[] direct = new double[rows()];
    for (int row = 0; row < prediction.length; row++) {
      prediction[row] = values[row][action[row]];
      for (int each = 0; each < target[row].length; each++) {
        direct[row] += target[row][each] * values[row][each];
      }
    }
    return StepSignal.of(reward, StepValues.of(prediction, direct, new double[count]));
  }

  public TabularEpisodes tabular(int states, int actions) {
    int[] next = new int[rows()];
    Arrays.setAll(next, row -> row % length == length - 1 ? -1 : state[row + 1]);
    return new TabularEpisodes(first(), state, action, reward, propensity, next, states, actions);
  }

  /** Sums of rewards, not discounted, with the weights of whole episodes. */
  public WeightedValues returns() {
    double[] weight = new double[count];
    double[] total = new double[count];
    Arrays.fill(weight, 1);
    for (int row = 0; row < rows(); row++) {
      weight[row / length] *= target[row][action[row]] / propensity[row];
      total[row / length] += reward[row];
    }
    return WeightedValues.of(weight, total);
  }

  private double[] chances() {
    double[] chances = new double[rows()];
    Arrays.setAll(chances, row -> target[row][action[row]]);
    return chances;
  }

  private int[] first() {
    return IntStream.rangeClosed(0, count).map(episode -> episode * length).toArray();
  }

  private long[] units() {
    return IntStream.range(0, count).asLongStream().toArray();
  }
}
