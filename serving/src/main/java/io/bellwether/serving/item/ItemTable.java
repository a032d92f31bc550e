package io.bellwether.serving.item;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The registered items of one surface at one moment: {@code rows[row * width + column]}, in the
 * order in which they were first registered. Immutable and thread-safe.
 */
public final class ItemTable {

  private final int width;
  private final List<String> ids;
  private final float[] rows;
  private final Map<String, Integer> rowOfId;

  private ItemTable(int width, List<String> ids, float[] rows) {
    this.width = width;
    this.ids = List.copyOf(ids);
    this.rows = rows;
    rowOfId = new HashMap<>(ids.size() * 2);
    for (int row = 0; row < this.ids.size(); row++) {
      rowOfId.put(this.ids.get(row), row);
    }
  }

  /** A table without items. */
  static ItemTable empty(int width) {
    return new ItemTable(width, List.of(), new float[0]);
  }

  /** A table of encoded items, each of {@code width} floats. */
  static ItemTable of(int width, Map<String, float[]> items) {
    float[] rows = new float[items.size() * width];
    int at = 0;
    for (float[] row : items.values()) {
      System.arraycopy(row, 0, rows, at, width);
      at += width;
    }
    return new ItemTable(width, List.copyOf(items.keySet()), rows);
  }

  /** How many items there are. */
  public int size() {
    return ids.size();
  }

  /** The row of an item; -1 where it is not registered. */
  public int row(String id) {
    return rowOfId.getOrDefault(id, -1);
  }

  /** The id of the item in a row. */
  public String id(int row) {
    return ids.get(row);
  }

  /** Copies a row's floats to {@code target} from {@code offset} on. */
  public void copy(int row, float[] target, int offset) {
    System.arraycopy(rows, row * width, target, offset, width);
  }
}
