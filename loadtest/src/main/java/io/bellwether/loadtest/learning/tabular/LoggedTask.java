package io.bellwether.loadtest.learning.tabular;

import io.bellwether.policy.scoring.CounterRandom;
import io.bellwether.trainer.algorithm.LearnerData;
import io.bellwether.trainer.algorithm.Promise;
import io.bellwether.trainer.network.Column;
import io.bellwether.trainer.network.NetworkSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Sessions of the even policy in a task, as rows that the trainer's learners take: context is one
 * flag per state, an item one flag per action, and every row has all actions as its candidates.
 *
 * @param seed of all that happens in the sessions
 * @param sessions how many there are
 */
record LoggedTask(ConstrainedTask task, long seed, int sessions) {
  private static final long START_TAG = 210;
  private static final long ACTION_TAG = 211;
  private static final long NEXT_TAG = 212;

  /** A process that never ends is cut off here: at discount 0.9, 0.2 % of it lies beyond. */
  static final int MOST_STEPS = 60;

  /** Learners need a discount below 1; sessions that end by themselves are about ten steps long. */
  private static final double LARGEST_DISCOUNT = 0.99;

  double discount() {
    return Math.min(LARGEST_DISCOUNT, task.process().discount());
  }

  NetworkSchema schema() {
    ConstrainedProcess process = task.process();
    return new NetworkSchema(
        flags("state", process.states()),
        List.of(),
        0,
        flags("action", process.actions()),
        IntStream.range(0, process.signals()).mapToObj(signal -> "signal" + signal).toList());
  }

  private static List<Column> flags(String name, int count) {
    return IntStream.range(0, count).<Column>mapToObj(i -> new Column.Flag(name + i)).toList();
  }

  /**
   * The task's limits as promises: shares of what the even policy truly has, so that they mean the
   * same to learners that look at sums per session and to those that look at means per row.
   */
  List<Promise> promises() {
    double[] even = task.process().values(task.process().uniform());
    return task.limits().stream()
        .map(
            limit ->
                new Promise(
                    limit.signal(),
                    limit.sign() > 0 ? Promise.Sense.AT_LEAST : Promise.Sense.AT_MOST,
                    new Promise.ShareOfLog(limit.bound() / even[limit.signal()])))
        .toList();
  }

  LearnerData data() {
    ConstrainedProcess process = task.process();
    List<LearnerData.Row> rows = new ArrayList<>();
    for (int session = 0; session < sessions; session++) {
      int state = drawn(process.start(), START_TAG, session, 0);
      for (int step = 0; step < MOST_STEPS && state < process.states(); step++) {
        int action =
            (int) (CounterRandom.uniform(seed, ACTION_TAG, session, step, 0) * process.actions());
        int next = drawn(process.transition()[state][action], NEXT_TAG, session, step);
        boolean ended = next == process.states();
        rows.add(row(rows.size(), state, action, ended, ended || step + 1 == MOST_STEPS));
        state = next;
      }
    }
    return LearnerData.of(schema(), rows);
  }

  /** An index by its chance; the number of chances for what they lack to 1. */
  private int drawn(double[] chances, long tag, int session, int step) {
    double left = CounterRandom.uniform(seed, tag, session, step, 0);
    int index = 0;
    while (index < chances.length && left >= chances[index]) {
      left -= chances[index];
      index++;
    }
    return index;
  }

  private LearnerData.Row row(long id, int state, int action, boolean ended, boolean last) {
    ConstrainedProcess process = task.process();
    float[] rewards = new float[process.signals()];
    for (int signal = 0; signal < rewards.length; signal++) {
      rewards[signal] = (float) process.rewards()[signal][state][action];
    }
    return new LearnerData.Row(
        id,
        context(state),
        new float[0],
        items(),
        new int[0],
        action,
        1.0 / process.actions(),
        rewards,
        ended,
        last ? null : Long.valueOf(id + 1),
        1);
  }

  float[] context(int state) {
    float[] hot = new float[task.process().states()];
    hot[state] = 1;
    return hot;
  }

  /** Every action after the other, {@code [action * actions + column]}. */
  float[] items() {
    int actions = task.process().actions();
    float[] items = new float[actions * actions];
    for (int action = 0; action < actions; action++) {
      items[action * actions + action] = 1;
    }
    return items;
  }
}
