package io.bellwether.trainer.data;

import io.bellwether.trainer.algorithm.LearnerData;
import java.util.Arrays;
import java.util.List;

/** Rows as the flat columns that a learner reads. */
public final class LearnerColumns {

  /** What every Java platform can allocate as one array. */
  private static final int MOST_NUMBERS = Integer.MAX_VALUE - 8;

  private LearnerColumns() {}

  /** The columns of the rows, in their order. */
  public static LearnerData of(LinkedRows linked) {
    return of(linked.rows(), linked.next(), linked.terminated());
  }

  /** The columns of rows of which each stands for itself, as a reward model takes them. */
  public static LearnerData unlinked(List<TrainingRow> rows) {
    int[] next = new int[rows.size()];
    boolean[] terminated = new boolean[rows.size()];
    Arrays.fill(next, -1);
    Arrays.fill(terminated, true);
    return of(rows, next, terminated);
  }

  private static LearnerData of(List<TrainingRow> rows, int[] next, boolean[] terminated) {
    int count = rows.size();
    TrainingRow sample = rows.get(0);
    int itemFloats = size(rows.stream().mapToLong(row -> row.items().length).sum(), "item");
    int itemWidth = sample.itemWidth();
    LearnerData data =
        new LearnerData(
            new float[size((long) count * sample.context().length, "context")],
            new float[size((long) count * sample.history().length, "history")],
            new int[count + 1],
            new float[itemFloats],
            new boolean[itemFloats / itemWidth],
            new int[count],
            new double[count],
            new float[size((long) count * sample.rewards().length, "reward")],
            terminated,
            next,
            new long[count],
            new float[count]);
    for (int i = 0; i < count; i++) {
      TrainingRow row = rows.get(i);
      put(row.context(), data.context(), i);
      put(row.history(), data.history(), i);
      int at = data.itemOffsets()[i];
      System.arraycopy(row.items(), 0, data.items(), at * itemWidth, row.items().length);
      data.itemOffsets()[i + 1] = at + row.items().length / itemWidth;
      for (int candidate : row.closed()) {
        data.closed()[at + candidate] = true;
      }
      for (int signal = 0; signal < row.rewards().length; signal++) {
        data.rewards()[i * row.rewards().length + signal] = (float) row.rewards()[signal];
      }
      data.action()[i] = row.action();
      data.propensity()[i] = row.propensity();
      data.rowId()[i] = row.rowId();
      data.weight()[i] = (float) row.weight();
    }
    return data;
  }

  /** A column is one array. */
  static int size(long numbers, String what) {
    if (numbers > MOST_NUMBERS) {
      throw new InvalidTrainingData(
          "the data has %d %s numbers, and one learner holds %d: train on a shorter range"
              .formatted(numbers, what, MOST_NUMBERS));
    }
    return (int) numbers;
  }

  private static void put(float[] values, float[] column, int row) {
    System.arraycopy(values, 0, column, row * values.length, values.length);
  }
}
