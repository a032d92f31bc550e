package io.bellwether.trainer.algorithm;

import io.bellwether.policy.scoring.CounterRandom;
import io.bellwether.trainer.network.Column;
import io.bellwether.trainer.network.NetworkSchema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Random rows with every kind of column, a history and rows of different numbers of candidates, of
 * which every other one with more than two has one that stands at an earlier position.
 */
public final class SyntheticLog {
  private static final int CATEGORIES = 5;

  private SyntheticLog() {}

  public static NetworkSchema schema(int historyLength) {
    List<Column> history =
        historyLength == 0
            ? List.of()
            : List.of(
                new Column.Flag("valid"),
                new Column.Number("watched"),
                new Column.Category("topic", CATEGORIES));
    return new NetworkSchema(
        List.of(
            new Column.Number("hour"),
            new Column.Category("country", CATEGORIES),
            new Column.Flag("new")),
        history,
        historyLength,
        List.of(
            new Column.Number("age"),
            new Column.Number("always five"),
            new Column.Category("topic", CATEGORIES),
            new Column.Flag("fresh")),
        List.of("watch", "like", "hide"));
  }

  /** Rows with between {@code fewest} and {@code most} candidates, in episodes of four. */
  public static LearnerData rows(NetworkSchema schema, int count, int fewest, int most) {
    List<LearnerData.Row> rows = new ArrayList<>();
    for (int row = 0; row < count; row++) {
      int candidates =
          fewest + (int) (CounterRandom.uniform(3, 1, row, 0, 0) * (most - fewest + 1));
      boolean last = row % 4 == 3 || row == count - 1;
      float[] items = block(schema.item(), row, candidates, 2);
      int action = (int) (CounterRandom.uniform(3, 5, row, 0, 0) * candidates);
      float watch =
          items[action * schema.item().size()] * 0.5f
              + (float) CounterRandom.normal(3, 6, row, 0, 0);
      float like = CounterRandom.uniform(3, 7, row, 0, 0) < 0.2 ? 1 : 0;
      float hide = CounterRandom.uniform(3, 8, row, 0, 0) < 0.1 ? 1 : 0;
      rows.add(
          new LearnerData.Row(
              row * 10L,
              block(schema.context(), row, 1, 3),
              block(schema.history(), row, schema.historyLength(), 4),
              items,
              row % 2 == 1 && candidates > 2 ? new int[] {(action + 1) % candidates} : new int[0],
              action,
              1.0 / candidates,
              new float[] {watch, like, hide},
              last && row % 8 != 7,
              last ? null : Long.valueOf((row + 1) * 10L),
              row % 5 == 0 ? 0.5f : 1));
    }
    return LearnerData.of(schema, rows);
  }

  /** One row of a data set by itself again. */
  static LearnerData.Row row(NetworkSchema schema, LearnerData data, int row) {
    int context = schema.context().size();
    int history = schema.historyLength() * schema.history().size();
    int item = schema.item().size();
    int signals = schema.signals().size();
    int next = data.next()[row];
    return new LearnerData.Row(
        data.rowId()[row],
        Arrays.copyOfRange(data.context(), row * context, (row + 1) * context),
        Arrays.copyOfRange(data.history(), row * history, (row + 1) * history),
        Arrays.copyOfRange(
            data.items(), data.itemOffsets()[row] * item, data.itemOffsets()[row + 1] * item),
        earlier(data, row),
        data.action()[row],
        data.propensity()[row],
        Arrays.copyOfRange(data.rewards(), row * signals, (row + 1) * signals),
        data.terminated()[row],
        next < 0 ? null : Long.valueOf(data.rowId()[next]),
        data.weight()[row]);
  }

  private static int[] earlier(LearnerData data, int row) {
    return IntStream.range(0, data.candidates(row))
        .filter(candidate -> data.closed()[data.itemOffsets()[row] + candidate])
        .toArray();
  }

  /**
   * The first history column is the flag of a valid row: newer rows are valid, up to a row's own
   * number.
   */
  private static float[] block(List<Column> columns, int row, int repeats, int tag) {
    float[] values = new float[columns.size() * repeats];
    for (int i = 0; i < values.length; i++) {
      int repeat = i / columns.size();
      Column column = columns.get(i % columns.size());
      if (column.name().equals("valid")) {
        values[i] = repeat >= row % (repeats + 1) ? 1 : 0;
      } else if (column.name().equals("always five")) {
        values[i] = 5;
      } else if (column instanceof Column.Number) {
        values[i] = (float) (3 + 2 * CounterRandom.normal(3, tag, row, i, 0));
      } else if (column instanceof Column.Flag) {
        values[i] = CounterRandom.uniform(3, tag, row, i, 0) < 0.5 ? 1 : 0;
      } else {
        // From -1 to two beyond the table: unknown ids must be taken for 0.
        values[i] =
            (float) Math.floor(CounterRandom.uniform(3, tag, row, i, 0) * (CATEGORIES + 3)) - 1;
      }
    }
    return values;
  }
}
