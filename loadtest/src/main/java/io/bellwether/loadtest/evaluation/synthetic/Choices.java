package io.bellwether.loadtest.evaluation.synthetic;

import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Decisions for one item each, with the probabilities of all items. The arrays are not copied.
 *
 * @param item the shown one, by row
 * @param reward by row
 * @param logging {@code [row][item]}, rows that sum to 1
 * @param target as {@code logging}
 * @param prediction a reward model's, {@code [row][item]}
 */
@SuppressWarnings("ArrayRecordComponent") // carried, not compared
public record Choices(
    int[] item, double[] reward, double[][] logging, double[][] target, double[][] prediction) {
  public static final String REWARD = "reward";

  public int size() {
    return item.length;
  }

  public int items() {
    return logging[0].length;
  }

  public double propensity(int row) {
    return logging[row][item[row]];
  }

  public double weight(int row) {
    return target[row][item[row]] / propensity(row);
  }

  /** The model's expectation under the target policy. */
  public double direct(int row) {
    double sum = 0;
    for (int each = 0; each < target[row].length; each++) {
      sum += target[row][each] * prediction[row][each];
    }
    return sum;
  }

  /** The same decisions under another policy; its probabilities are not copied. */
  public Choices withTarget(double[][] other) {
    return new Choices(item, reward, logging, other, prediction);
  }

  /** Columns with a subject for each row. */
  public LoggedDecisions.Builder columns() {
    return columns(1);
  }

  /** Columns with subjects of so many neighbouring rows. */
  public LoggedDecisions.Builder columns(int rowsPerSubject) {
    return LoggedDecisions.builder()
        .decisions(
            IntStream.range(0, size()).toArray(),
            new int[size()],
            IntStream.range(0, size()).mapToLong(row -> row / rowsPerSubject).toArray())
        .logging(column(this::propensity))
        .target(column(row -> target[row][item[row]]))
        .signal(
            REWARD,
            LoggedDecisions.Signal.modelled(
                reward, column(row -> prediction[row][item[row]]), column(this::direct)));
  }

  public double[] column(IntToDoubleFunction value) {
    double[] column = new double[size()];
    for (int row = 0; row < column.length; row++) {
      column[row] = value.applyAsDouble(row);
    }
    return column;
  }
}
