package io.bellwether.trainer.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Rows of text under titles. Grows by {@link #row}; confined to one thread until it is shown.
 *
 * @param columns at least one
 */
record Table(List<Column> columns, List<Row> rows) {

  /**
   * @param number whether its cells are numbers, which stand to the right
   */
  record Column(String title, boolean number) {}

  /**
   * @param style {@code refused} for what must not be relied on, {@code chosen} for what was, or
   *     empty
   */
  record Row(String style, List<String> cells) {
    Row {
      cells = List.copyOf(cells);
    }
  }

  /** A table without rows; a title that ends in {@code #} is that of a column of numbers. */
  static Table of(String... titles) {
    List<Column> columns = new ArrayList<>();
    for (String title : titles) {
      boolean number = title.endsWith("#");
      columns.add(
          new Column(number ? title.substring(0, title.length() - 1).strip() : title, number));
    }
    return new Table(Collections.unmodifiableList(columns), new ArrayList<>());
  }

  Table row(String... cells) {
    return styled("", cells);
  }

  Table styled(String style, String... cells) {
    if (cells.length != columns.size()) {
      throw new IllegalArgumentException(
          cells.length + " cells in a table of " + columns.size() + " columns");
    }
    rows.add(new Row(style, List.of(cells)));
    return this;
  }
}
