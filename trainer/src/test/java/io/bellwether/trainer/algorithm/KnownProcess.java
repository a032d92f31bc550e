package io.bellwether.trainer.algorithm;

import io.bellwether.policy.scoring.CounterRandom;
import io.bellwether.trainer.network.Column;
import io.bellwether.trainer.network.NetworkSchema;
import java.util.ArrayList;
import java.util.List;

/**
 * A process of three states and two actions whose values are known: the second action pays later.
 * Sessions end with chance 0.1 a step, or are cut off. Signals: a reward, and a rare flag.
 */
final class KnownProcess {
  static final double[][] LOGGING = {{0.6, 0.4}, {0.5, 0.5}, {0.5, 0.5}};
  static final double[][] TARGET = {{0.1, 0.9}, {0.2, 0.8}, {0.7, 0.3}};

  private static final double ENDS = 0.1;

  /** {@code [state][action][next]}. */
  private static final double[][][] TRANSITION = {
    {{0.8, 0.1, 0.1}, {0.1, 0.8, 0.1}},
    {{0.7, 0.2, 0.1}, {0.1, 0.2, 0.7}},
    {{0.5, 0.3, 0.2}, {0.1, 0.1, 0.8}}
  };

  /** {@code [signal][state][action]}. */
  private static final double[][][] MEAN = {
    {{0.5, 0.1}, {0.4, 0.6}, {3.0, 2.0}},
    {{0.05, 0.02}, {0.1, 0.05}, {0.02, 0.2}}
  };

  private final long seed;

  KnownProcess(long seed) {
    this.seed = seed;
  }

  NetworkSchema schema() {
    return new NetworkSchema(
        List.of(new Column.Flag("s0"), new Column.Flag("s1"), new Column.Flag("s2")),
        List.of(),
        0,
        List.of(new Column.Flag("first"), new Column.Flag("second")),
        List.of("reward", "flag"));
  }

  /** Sessions that begin in any state, of at most so many steps. */
  LearnerData sessions(int count, int most) {
    List<LearnerData.Row> rows = new ArrayList<>();
    for (int session = 0; session < count; session++) {
      int state = (int) (3 * CounterRandom.uniform(seed, 1, session, 0, 0));
      for (int step = 0; step < most; step++) {
        int action = CounterRandom.uniform(seed, 2, session, step, 0) < LOGGING[state][0] ? 0 : 1;
        boolean ended = CounterRandom.uniform(seed, 3, session, step, 0) < ENDS;
        boolean last = ended || step + 1 == most;
        long id = session * 1000L + step;
        rows.add(
            new LearnerData.Row(
                id,
                oneHot(state),
                new float[0],
                new float[] {1, 0, 0, 1},
                new int[0],
                action,
                LOGGING[state][action],
                rewards(session, step, state, action),
                ended,
                last ? null : Long.valueOf(id + 1),
                1));
        if (last) {
          break;
        }
        state = next(session, step, TRANSITION[state][action]);
      }
    }
    return LearnerData.of(schema(), rows);
  }

  private float[] rewards(int session, int step, int state, int action) {
    double noise = 0.5 * CounterRandom.normal(seed, 4, session, step, 0);
    boolean flag = CounterRandom.uniform(seed, 5, session, step, 0) < MEAN[1][state][action];
    return new float[] {(float) (MEAN[0][state][action] + noise), flag ? 1 : 0};
  }

  private int next(int session, int step, double[] chances) {
    double u = CounterRandom.uniform(seed, 6, session, step, 0);
    return u < chances[0] ? 0 : u < chances[0] + chances[1] ? 1 : 2;
  }

  private static float[] oneHot(int state) {
    float[] hot = new float[3];
    hot[state] = 1;
    return hot;
  }

  int state(LearnerData data, int row) {
    return data.context()[row * 3] > 0 ? 0 : data.context()[row * 3 + 1] > 0 ? 1 : 2;
  }

  /** A policy's chances of the data's candidates. */
  float[] chances(LearnerData data, double[][] policy) {
    float[] chances = new float[data.rows() * 2];
    for (int row = 0; row < data.rows(); row++) {
      for (int action = 0; action < 2; action++) {
        chances[row * 2 + action] = (float) policy[state(data, row)][action];
      }
    }
    return chances;
  }

  /** True {@code [signal][state]}, by iteration. */
  double[][] stateValues(double[][] policy, double discount) {
    double[][] values = new double[2][3];
    for (int round = 0; round < 1000; round++) {
      for (int signal = 0; signal < 2; signal++) {
        double[] next = new double[3];
        for (int state = 0; state < 3; state++) {
          for (int action = 0; action < 2; action++) {
            double future = 0;
            for (int to = 0; to < 3; to++) {
              future += TRANSITION[state][action][to] * values[signal][to];
            }
            next[state] +=
                policy[state][action]
                    * (MEAN[signal][state][action] + discount * (1 - ENDS) * future);
          }
        }
        values[signal] = next;
      }
    }
    return values;
  }

  double[] meanByState(LearnerData data, double[] perRow) {
    double[] sums = new double[3];
    int[] counts = new int[3];
    for (int row = 0; row < perRow.length; row++) {
      sums[state(data, row)] += perRow[row];
      counts[state(data, row)]++;
    }
    for (int state = 0; state < 3; state++) {
      sums[state] /= counts[state];
    }
    return sums;
  }
}
