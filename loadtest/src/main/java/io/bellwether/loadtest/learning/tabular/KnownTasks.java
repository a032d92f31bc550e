package io.bellwether.loadtest.learning.tabular;

import io.bellwether.policy.scoring.CounterRandom;
import java.util.ArrayList;
import java.util.List;

/** Processes small enough for a linear program to say what the best policy is worth. */
final class KnownTasks {
  private static final int RANDOM_STATES = 10;
  private static final int RANDOM_ACTIONS = 4;
  private static final int RANDOM_SEEDS = 20;
  private static final long TRANSITION_TAG = 200;
  private static final long REWARD_TAG = 201;
  private static final long AUXILIARY_TAG = 202;

  private KnownTasks() {}

  /** All tasks that have a solution: two arms, two states, three states, and random ones. */
  static List<ConstrainedTask> solvable() {
    List<ConstrainedTask> tasks = new ArrayList<>();
    tasks.add(bandit());
    for (double bound : new double[] {0.5, 0.7, 0.8}) {
      tasks.add(freshOrTired(bound));
    }
    tasks.add(session("like at least 0.6", Limit.atLeast(1, 0.6)));
    tasks.add(session("hate at most 0.25", Limit.atMost(2, 0.25)));
    tasks.add(session("both", Limit.atLeast(1, 0.6), Limit.atMost(2, 0.22)));
    for (int seed = 1; seed <= RANDOM_SEEDS; seed++) {
      tasks.add(random(seed));
    }
    return tasks;
  }

  /** More likes than any policy gets. */
  static ConstrainedTask impossible() {
    return session("like at least 1", Limit.atLeast(1, 1));
  }

  /** Two arms, once: (1, 0.4) with (0.1, 0.5) of what has to be at least 0.3. */
  static ConstrainedTask bandit() {
    ConstrainedProcess process =
        new ConstrainedProcess(
            new double[][][] {{{0}, {0}}},
            new double[][][] {{{1, 0.4}}, {{0.1, 0.5}}},
            new double[] {1},
            0);
    return new ConstrainedTask("two arms", process, List.of(Limit.atLeast(1, 0.3)));
  }

  /** States Fresh and Tired, actions Bait and Quality: bait pays at once and tires. */
  static ConstrainedTask freshOrTired(double bound) {
    ConstrainedProcess process =
        new ConstrainedProcess(
            new double[][][] {{{0.4, 0.6}, {0.9, 0.1}}, {{0.1, 0.9}, {0.5, 0.5}}},
            new double[][][] {{{1.0, 0.6}, {0.4, 0.3}}, {{0.02, 0.10}, {0, 0.05}}},
            new double[] {1, 0},
            0.9);
    return new ConstrainedTask(
        "fresh or tired, at least " + bound, process, List.of(Limit.atLeast(1, bound)));
  }

  /**
   * States New, Engaged and Bored, actions Bait, Quality and Diverse, until the person leaves;
   * signals watch, like and hate.
   */
  static ConstrainedTask session(String name, Limit... limits) {
    double[][] leaves = {{0.10, 0.10, 0.08}, {0.08, 0.08, 0.06}, {0.20, 0.20, 0.15}};
    double[][][] stays = {
      {{0.2, 0.3, 0.5}, {0.2, 0.7, 0.1}, {0.6, 0.3, 0.1}},
      {{0, 0.5, 0.5}, {0, 0.8, 0.2}, {0.2, 0.7, 0.1}},
      {{0, 0.1, 0.9}, {0.1, 0.4, 0.5}, {0.4, 0.3, 0.3}}
    };
    double[][][] transition = new double[3][3][3];
    for (int state = 0; state < 3; state++) {
      for (int action = 0; action < 3; action++) {
        for (int next = 0; next < 3; next++) {
          transition[state][action][next] =
              (1 - leaves[state][action]) * stays[state][action][next];
        }
      }
    }
    double[][][] rewards = {
      {{1.6, 0.8, 0.6}, {1.8, 1.0, 0.7}, {0.8, 0.4, 0.5}},
      {{0.02, 0.08, 0.03}, {0.03, 0.10, 0.04}, {0, 0.03, 0.02}},
      {{0.04, 0.02, 0.01}, {0.05, 0.02, 0.01}, {0.08, 0.04, 0.01}}
    };
    ConstrainedProcess process =
        new ConstrainedProcess(transition, rewards, new double[] {1, 0, 0}, 1);
    return new ConstrainedTask("session, " + name, process, List.of(limits));
  }

  /**
   * Random transitions and rewards; the auxiliary signal has to be at least half way between what
   * the unconstrained optimum has of it and the most that there is.
   */
  static ConstrainedTask random(int seed) {
    ConstrainedProcess process = randomProcess(seed);
    OccupancyProgram program = new OccupancyProgram(process);
    double[][] free = program.best(0, 1);
    double most = process.value(program.best(1, 1), 1);
    double bound = (process.value(free, 1) + most) / 2;
    return new ConstrainedTask("random " + seed, process, List.of(Limit.atLeast(1, bound)));
  }

  private static ConstrainedProcess randomProcess(int seed) {
    double[][][] transition = new double[RANDOM_STATES][RANDOM_ACTIONS][RANDOM_STATES];
    double[][][] rewards = new double[2][RANDOM_STATES][RANDOM_ACTIONS];
    double[] start = new double[RANDOM_STATES];
    for (int state = 0; state < RANDOM_STATES; state++) {
      start[state] = 1.0 / RANDOM_STATES;
      for (int action = 0; action < RANDOM_ACTIONS; action++) {
        rewards[0][state][action] = CounterRandom.uniform(seed, REWARD_TAG, state, action, 0);
        rewards[1][state][action] = CounterRandom.uniform(seed, AUXILIARY_TAG, state, action, 0);
        double[] row = transition[state][action];
        double total = 0;
        for (int next = 0; next < RANDOM_STATES; next++) {
          row[next] =
              -Math.log1p(-CounterRandom.uniform(seed, TRANSITION_TAG, state, action, next));
          total += row[next];
        }
        for (int next = 0; next < RANDOM_STATES; next++) {
          row[next] /= total;
        }
      }
    }
    return new ConstrainedProcess(transition, rewards, start, 0.9);
  }
}
