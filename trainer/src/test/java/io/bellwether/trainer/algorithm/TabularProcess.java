package io.bellwether.trainer.algorithm;

import io.bellwether.trainer.network.Column;
import io.bellwether.trainer.network.NetworkSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A small process whose transitions are all known, and its data without any sampling error: every
 * transition stands in the data exactly as often as it happens.
 *
 * <p>Context is one flag per state, an item one flag per action, every row has all actions as its
 * candidates in order. A row's next row is one of the state that it leads to; expectations over
 * next states are therefore those over rows. What a next row's own action is means nothing, so
 * methods that look further than one step (or at the next logged action) are not served.
 *
 * @param logging {@code [state][action]} chances of the logging policy, all above 0
 * @param transition {@code [state][action][next]}; empty where every decision ends its episode
 * @param rewards {@code [signal][state][action]}
 * @param start chance of each state to be the first
 */
@SuppressWarnings("ArrayRecordComponent")
record TabularProcess(
    double[][] logging, double[][][] transition, double[][][] rewards, double[] start) {

  /** Signal 0, which is maximised. */
  static final int MAIN = 0;

  /** Signal 1, which promises are about. */
  static final int AUXILIARY = 1;

  /** Weight of the next row with which the values of {@link #freshOrTired} are known. */
  static final double DISCOUNT = 0.9;

  /** F-0: three arms that pay (1, 0.5, 0), logged with (0.2, 0.5, 0.3). */
  static TabularProcess bandit() {
    return new TabularProcess(
        new double[][] {{0.2, 0.5, 0.3}},
        new double[0][][],
        new double[][][] {{{1, 0.5, 0}}},
        new double[] {1});
  }

  /**
   * F-1b: two arms that pay (1, 0.4), and (0.1, 0.5) of a second signal. At least 0.3 of the second
   * is kept by an even mix, worth 0.7, at a multiplier of 1.5.
   */
  static TabularProcess constrainedBandit() {
    return new TabularProcess(
        new double[][] {{0.5, 0.5}},
        new double[0][][],
        new double[][][] {{{1, 0.4}}, {{0.1, 0.5}}},
        new double[] {1});
  }

  /**
   * F-1: states Fresh and Tired, actions Bait and Quality; bait pays at once and tires. Logged
   * evenly, starts Fresh, never ends.
   */
  static TabularProcess freshOrTired() {
    return new TabularProcess(
        new double[][] {{0.5, 0.5}, {0.5, 0.5}},
        new double[][][] {{{0.4, 0.6}, {0.9, 0.1}}, {{0.1, 0.9}, {0.5, 0.5}}},
        new double[][][] {{{1.0, 0.6}, {0.4, 0.3}}, {{0.02, 0.10}, {0, 0.05}}},
        new double[] {1, 0});
  }

  int states() {
    return logging.length;
  }

  int actions() {
    return logging[0].length;
  }

  int signals() {
    return rewards.length;
  }

  NetworkSchema schema() {
    return new NetworkSchema(
        flags("state", states()),
        List.of(),
        0,
        flags("action", actions()),
        IntStream.range(0, signals()).mapToObj(signal -> "signal" + signal).toList());
  }

  private static List<Column> flags(String name, int count) {
    return IntStream.range(0, count).<Column>mapToObj(i -> new Column.Flag(name + i)).toList();
  }

  /**
   * Rows of weight 1, each transition as often as it happens among {@code perState} decisions of
   * its state. A batch of {@link LearnerData#rows} rows is the whole process.
   *
   * @param perState 10 for {@link #bandit}, 2 for {@link #constrainedBandit}, 20 for {@link
   *     #freshOrTired}, and multiples of them
   */
  LearnerData repeated(int perState) {
    List<Transition> rows = new ArrayList<>();
    for (Transition happens : transitions()) {
      double times = happens.chance * perState;
      if (Math.abs(times - Math.rint(times)) > 1e-9) {
        throw new IllegalArgumentException(
            "%s of %d decisions is no whole number".formatted(happens.chance, perState));
      }
      for (int i = 0; i < Math.rint(times); i++) {
        rows.add(new Transition(happens.state, happens.action, happens.next, 1));
      }
    }
    return data(rows);
  }

  /**
   * Each transition once, weighted by its chance; weights have mean 1. What an engine takes over
   * rows without their weights (scales, deviations of a batch, estimates on the log) is then that
   * of even chances.
   */
  LearnerData weighted() {
    List<Transition> happening = transitions();
    double scale = (double) happening.size() / states();
    return data(
        happening.stream()
            .map(row -> new Transition(row.state, row.action, row.next, row.chance * scale))
            .toList());
  }

  /** {@code next} is -1 where the episode ends; {@code chance} is that within the state. */
  private record Transition(int state, int action, int next, double chance) {}

  private List<Transition> transitions() {
    List<Transition> happening = new ArrayList<>();
    for (int state = 0; state < states(); state++) {
      for (int action = 0; action < actions(); action++) {
        double taken = logging[state][action];
        if (transition.length == 0) {
          happening.add(new Transition(state, action, -1, taken));
        }
        for (int next = 0; next < (transition.length == 0 ? 0 : states()); next++) {
          if (transition[state][action][next] > 0) {
            double chance = taken * transition[state][action][next];
            happening.add(new Transition(state, action, next, chance));
          }
        }
      }
    }
    return happening;
  }

  /**
   * States in which no episode starts have a predecessor for as many of their rows as there are;
   * the others are followed at one row alone, so that their remaining rows are first ones.
   */
  private LearnerData data(List<Transition> transitions) {
    List<List<Integer>> ofState = new ArrayList<>();
    for (int state = 0; state < states(); state++) {
      int wanted = state;
      ofState.add(
          IntStream.range(0, transitions.size())
              .filter(row -> transitions.get(row).state == wanted)
              .boxed()
              .toList());
    }
    int[] entered = new int[states()];
    List<LearnerData.Row> rows = new ArrayList<>();
    for (Transition from : transitions) {
      Long next = null;
      if (from.next >= 0) {
        List<Integer> places = ofState.get(from.next);
        int place = start[from.next] > 0 ? 0 : entered[from.next]++ % places.size();
        next = (long) places.get(place);
      }
      rows.add(
          new LearnerData.Row(
              rows.size(),
              oneHot(from.state, states()),
              new float[0],
              everyAction(),
              new int[0],
              from.action,
              logging[from.state][from.action],
              rewardsOf(from.state, from.action),
              from.next < 0,
              next,
              (float) from.chance));
    }
    return LearnerData.of(schema(), rows);
  }

  private static float[] oneHot(int index, int width) {
    float[] hot = new float[width];
    hot[index] = 1;
    return hot;
  }

  private float[] everyAction() {
    float[] items = new float[actions() * actions()];
    for (int action = 0; action < actions(); action++) {
      items[action * actions() + action] = 1;
    }
    return items;
  }

  private float[] rewardsOf(int state, int action) {
    float[] values = new float[signals()];
    for (int signal = 0; signal < signals(); signal++) {
      values[signal] = (float) rewards[signal][state][action];
    }
    return values;
  }

  /** The state of a row of this process's data. */
  int state(LearnerData data, int row) {
    int state = 0;
    while (data.context()[row * states() + state] == 0) {
      state++;
    }
    return state;
  }

  /** True {@code V [state]} of a signal under {@code policy[state][action]}, by iteration. */
  double[] stateValues(double[][] policy, int signal, double discount) {
    double[] values = new double[states()];
    for (int round = 0; round < 2000; round++) {
      double[][] actionValues = backedUp(values, signal, discount);
      for (int state = 0; state < states(); state++) {
        values[state] = 0;
        for (int action = 0; action < actions(); action++) {
          values[state] += policy[state][action] * actionValues[state][action];
        }
      }
    }
    return values;
  }

  /** True {@code Q [state][action]} of a signal under {@code policy[state][action]}. */
  double[][] actionValues(double[][] policy, int signal, double discount) {
    return backedUp(stateValues(policy, signal, discount), signal, discount);
  }

  private double[][] backedUp(double[] values, int signal, double discount) {
    double[][] backedUp = new double[states()][actions()];
    for (int state = 0; state < states(); state++) {
      for (int action = 0; action < actions(); action++) {
        double value = rewards[signal][state][action];
        for (int next = 0; transition.length > 0 && next < states(); next++) {
          value += discount * transition[state][action][next] * values[next];
        }
        backedUp[state][action] = value;
      }
    }
    return backedUp;
  }

  /** Mean of a state's numbers over the first states: the value of a policy. */
  double atStart(double[] perState) {
    double mean = 0;
    for (int state = 0; state < states(); state++) {
      mean += start[state] * perState[state];
    }
    return mean;
  }
}
