package io.bellwether.trainer.algorithm;

import io.bellwether.trainer.network.Column;
import io.bellwether.trainer.network.NetworkSchema;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Logged rows as flat columns, in canonical order (ascending row id), so that nothing depends on
 * how they arrived.
 *
 * <p>One row is one position of one decision: the candidates of the decision, the one that was
 * placed there, and what came of it. The arrays are shared, not copied, and must not be changed.
 *
 * @param context {@code context[row * Dc + column]}
 * @param history {@code history[(row * L + age) * Dh + column]}; empty where the schema has no
 *     history
 * @param itemOffsets row {@code r} has the candidates {@code itemOffsets[r] .. itemOffsets[r + 1]}
 * @param items {@code items[candidate * Di + column]}
 * @param closed per candidate, whether it could not stand at its row's position: it stands at an
 *     earlier one, or a rule kept it out
 * @param action index of the logged action among its row's candidates
 * @param propensity chance with which the logging policy took that action, in (0, 1]
 * @param rewards {@code rewards[row * S + signal]}, in the signals' own units
 * @param terminated whether the episode ended with this row: no future value
 * @param next row that follows in the same episode, -1 where there is none in the data
 * @param rowId stable 64-bit id, ascending, without repetition
 * @param weight weight of the row in every loss, at least 0, usually 1
 */
@SuppressWarnings("ArrayRecordComponent")
public record LearnerData(
    float[] context,
    float[] history,
    int[] itemOffsets,
    float[] items,
    boolean[] closed,
    int[] action,
    double[] propensity,
    float[] rewards,
    boolean[] terminated,
    int[] next,
    long[] rowId,
    float[] weight) {

  /** Larger magnitudes are mistakes of a unit or an overflow, and would drown everything else. */
  static final float LARGEST_INPUT = 1e6f;

  /**
   * One row before it is put in order. {@code closed} names the candidates that could not stand
   * there; {@code nextRowId} is null where the episode ends or is cut.
   */
  @SuppressWarnings("ArrayRecordComponent")
  public record Row(
      long rowId,
      float[] context,
      float[] history,
      float[] items,
      int[] closed,
      int action,
      double propensity,
      float[] rewards,
      boolean terminated,
      @Nullable Long nextRowId,
      float weight) {}

  public int rows() {
    return rowId.length;
  }

  public int candidates(int row) {
    return itemOffsets[row + 1] - itemOffsets[row];
  }

  /** Mean of a signal's reward over all rows, in its own unit. */
  public double meanReward(int signal) {
    int signals = rewards.length / rows();
    double sum = 0;
    for (int i = signal; i < rewards.length; i += signals) {
      sum += rewards[i];
    }
    return sum / rows();
  }

  /** The largest number of candidates of any row. */
  public int mostCandidates() {
    int most = 0;
    for (int row = 0; row < rows(); row++) {
      most = Math.max(most, candidates(row));
    }
    return most;
  }

  /** Rows of any order in canonical order; a next row that is not among them counts as none. */
  public static LearnerData of(NetworkSchema schema, List<Row> unordered) {
    List<Row> rows = new ArrayList<>(unordered);
    rows.sort(Comparator.comparingLong(Row::rowId));
    int count = rows.size();
    int contextWidth = schema.context().size();
    int historyWidth = schema.historyLength() * schema.history().size();
    int itemWidth = schema.item().size();
    int signals = schema.signals().size();
    int[] offsets = new int[count + 1];
    Map<Long, Integer> positions = new HashMap<>();
    for (int row = 0; row < count; row++) {
      offsets[row + 1] = offsets[row] + rows.get(row).items.length / itemWidth;
      positions.put(rows.get(row).rowId, row);
    }
    LearnerData data =
        new LearnerData(
            new float[count * contextWidth],
            new float[count * historyWidth],
            offsets,
            new float[offsets[count] * itemWidth],
            new boolean[offsets[count]],
            new int[count],
            new double[count],
            new float[count * signals],
            new boolean[count],
            new int[count],
            new long[count],
            new float[count]);
    for (int row = 0; row < count; row++) {
      Row from = rows.get(row);
      copy(from.context, data.context, row * contextWidth, contextWidth, "context", from.rowId);
      copy(from.history, data.history, row * historyWidth, historyWidth, "history", from.rowId);
      copy(
          from.items,
          data.items,
          offsets[row] * itemWidth,
          data.candidates(row) * itemWidth,
          "items",
          from.rowId);
      copy(from.rewards, data.rewards, row * signals, signals, "rewards", from.rowId);
      for (int candidate : from.closed) {
        data.closed[offsets[row] + candidate] = true;
      }
      data.action[row] = from.action;
      data.propensity[row] = from.propensity;
      data.terminated[row] = from.terminated;
      data.next[row] = from.nextRowId == null ? -1 : positions.getOrDefault(from.nextRowId, -1);
      data.rowId[row] = from.rowId;
      data.weight[row] = from.weight;
    }
    return data;
  }

  private static void copy(float[] from, float[] to, int at, int length, String what, long rowId) {
    if (from.length != length) {
      throw new InvalidLearnerDataException(
          "row " + rowId + " has " + from.length + " " + what + " values, but needs " + length);
    }
    System.arraycopy(from, 0, to, at, length);
  }

  /** Refuses data that no learner can use, naming the first row and column at fault. */
  void validate(NetworkSchema schema) {
    int rows = rows();
    if (rows == 0) {
      throw new InvalidLearnerDataException("there are no rows to learn from");
    }
    requireLength(context.length, (long) rows * schema.context().size(), "context");
    requireLength(
        history.length, (long) rows * schema.historyLength() * schema.history().size(), "history");
    requireLength(items.length, (long) itemOffsets[rows] * schema.item().size(), "items");
    requireLength(closed.length, itemOffsets[rows], "closed");
    requireLength(rewards.length, (long) rows * schema.signals().size(), "rewards");
    for (int row = 0; row < rows; row++) {
      validateRow(row);
    }
    requireFinite(context, schema.context(), "context", 1);
    if (schema.hasHistory()) {
      requireFinite(history, schema.history(), "history", schema.historyLength());
    }
    requireFiniteItems(schema.item());
    List<Column> signals = new ArrayList<>();
    schema.signals().forEach(signal -> signals.add(new Column.Number(signal)));
    requireFinite(rewards, signals, "rewards", 1);
  }

  private static void requireLength(int found, long expected, String what) {
    if (found != expected) {
      throw new InvalidLearnerDataException(
          found + " " + what + " values, but the schema asks for " + expected);
    }
  }

  private void validateRow(int row) {
    if (row > 0 && rowId[row] <= rowId[row - 1]) {
      throw new InvalidLearnerDataException(
          "row id " + rowId[row] + " is repeated or out of order");
    }
    if (action[row] < 0 || action[row] >= candidates(row)) {
      throw new InvalidLearnerDataException(
          "row "
              + rowId[row]
              + " took action "
              + action[row]
              + " of "
              + candidates(row)
              + " candidates");
    }
    if (closed[itemOffsets[row] + action[row]]) {
      throw new InvalidLearnerDataException(
          "row %d took action %d, which stands at an earlier position or was kept out by a rule"
              .formatted(rowId[row], action[row]));
    }
    if (!(propensity[row] > 0 && propensity[row] <= 1)) {
      throw new InvalidLearnerDataException(
          "row " + rowId[row] + " has propensity " + propensity[row] + "; it must be in (0, 1]");
    }
    if (!(weight[row] >= 0 && weight[row] <= LARGEST_INPUT)) {
      throw new InvalidLearnerDataException("row " + rowId[row] + " has weight " + weight[row]);
    }
    if (next[row] < -1 || next[row] >= rows()) {
      throw new InvalidLearnerDataException(
          "row " + rowId[row] + " is followed by row number " + next[row]);
    }
  }

  private void requireFinite(float[] values, List<Column> columns, String block, int perRow) {
    for (int i = 0; i < values.length; i++) {
      if (!isUsable(values[i])) {
        throw unusable(
            values[i],
            block,
            columns.get(i % columns.size()),
            i % columns.size(),
            i / columns.size() / perRow);
      }
    }
  }

  private void requireFiniteItems(List<Column> columns) {
    int width = columns.size();
    for (int row = 0; row < rows(); row++) {
      for (int i = itemOffsets[row] * width; i < itemOffsets[row + 1] * width; i++) {
        if (!isUsable(items[i])) {
          throw unusable(items[i], "items", columns.get(i % width), i % width, row);
        }
      }
    }
  }

  private static boolean isUsable(float value) {
    return Math.abs(value) <= LARGEST_INPUT;
  }

  private InvalidLearnerDataException unusable(
      float value, String block, Column column, int index, int row) {
    return new InvalidLearnerDataException(
        "%s column %d (%s) of row %d (id %d) is %s; it must be finite and within ±%s"
            .formatted(block, index, column.name(), row, rowId[row], value, LARGEST_INPUT));
  }
}
