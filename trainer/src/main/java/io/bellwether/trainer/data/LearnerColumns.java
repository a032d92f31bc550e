package io.bellwether.trainer.data;

import io.bellwether.trainer.algorithm.LearnerData;
import java.util.Arrays;
import java.util.List;

/** Rows as the flat columns that a learner reads. */
public final class LearnerColumns {

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
    int itemFloats = rows.stream().mapToInt(row -> row.items().length).reduce(0, Math::addExact);
    TrainingRow sample = rows.get(0);
    int itemWidth = sample.itemWidth();
    LearnerData data =
        new LearnerData(
            new float[Math.multiplyExact(count, sample.context().length)],
            new float[Math.multiplyExact(count, sample.history().length)],
            new int[count + 1],
            new float[itemFloats],
            new boolean[itemFloats / itemWidth],
            new int[count],
            new double[count],
            new float[Math.multiplyExact(count, sample.rewards().length)],
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
      for (int candidate : row.earlier()) {
        data.placed()[at + candidate] = true;
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

  private static void put(float[] values, float[] column, int row) {
    System.arraycopy(values, 0, column, row * values.length, values.length);
  }
}
