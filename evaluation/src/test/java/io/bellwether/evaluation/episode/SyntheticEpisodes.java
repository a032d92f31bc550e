package io.bellwether.evaluation.episode;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.evaluation.Golden;
import java.util.Arrays;
import java.util.stream.IntStream;

/** The golden episodes: three of two steps, and 300 of six from a process with known chances. */
final class SyntheticEpisodes {
  static final JsonNode EXPECTED = Golden.json("episode_expected.json");
  static final Golden.Table ROWS = Golden.csv("episode_synthetic.csv");
  static final double[][] TARGET = Golden.matrix(EXPECTED.at("/synthetic/mdp/pi_e"));
  static final int COUNT = 300;
  static final int STEPS = 6;
  static final double DISCOUNT = 0.95;

  private SyntheticEpisodes() {}

  static EpisodeSteps steps() {
    return steps(DISCOUNT);
  }

  static EpisodeSteps steps(double discount) {
    double[] action = ROWS.column("action");
    double[] target = new double[action.length];
    Arrays.setAll(target, row -> ROWS.column("pi_e_" + (int) action[row])[row]);
    return EpisodeSteps.single(
        first(COUNT, STEPS), units(COUNT), target, ROWS.column("propensity"), discount);
  }

  /** With the reference's cross-fitted values. */
  static StepSignal reward() {
    double[] action = ROWS.column("action");
    double[] prediction = new double[action.length];
    double[] direct = new double[action.length];
    for (int row = 0; row < action.length; row++) {
      prediction[row] = ROWS.column("q_hat_" + (int) action[row])[row];
      for (int each = 0; each < 2; each++) {
        direct[row] += ROWS.column("pi_e_" + each)[row] * ROWS.column("q_hat_" + each)[row];
      }
    }
    return StepSignal.of(
        ROWS.column("reward"), StepValues.of(prediction, direct, new double[COUNT]));
  }

  static TabularEpisodes tabular() {
    int[] state = ints("state");
    int[] next = new int[state.length];
    Arrays.setAll(next, row -> row % STEPS == STEPS - 1 ? -1 : state[row + 1]);
    return new TabularEpisodes(
        first(COUNT, STEPS),
        state,
        ints("action"),
        ROWS.column("reward"),
        ROWS.column("propensity"),
        next,
        4,
        2);
  }

  static EpisodeSteps tinySteps() {
    JsonNode tiny = EXPECTED.get("tiny");
    double[][] chances = Golden.matrix(tiny.get("pi_e"));
    double[] action = Golden.doubles(tiny.get("action"));
    double[] target = new double[action.length];
    Arrays.setAll(target, row -> chances[row][(int) action[row]]);
    return EpisodeSteps.single(
        first(3, 2), units(3), target, Golden.doubles(tiny.get("propensity")), 0.9);
  }

  static StepSignal tinyReward() {
    JsonNode tiny = EXPECTED.get("tiny");
    double[][] chances = Golden.matrix(tiny.get("pi_e"));
    double[][] values = Golden.matrix(tiny.get("q_hat"));
    double[] action = Golden.doubles(tiny.get("action"));
    double[] prediction = new double[action.length];
    double[] direct = new double[action.length];
    for (int row = 0; row < action.length; row++) {
      prediction[row] = values[row][(int) action[row]];
      direct[row] = chances[row][0] * values[row][0] + chances[row][1] * values[row][1];
    }
    return StepSignal.of(
        Golden.doubles(tiny.get("reward")), StepValues.of(prediction, direct, new double[3]));
  }

  static int[] first(int episodes, int steps) {
    return IntStream.rangeClosed(0, episodes).map(episode -> episode * steps).toArray();
  }

  static long[] units(int episodes) {
    long[] units = new long[episodes];
    Arrays.setAll(units, episode -> episode);
    return units;
  }

  private static int[] ints(String column) {
    return Arrays.stream(ROWS.column(column)).mapToInt(value -> (int) value).toArray();
  }
}
