package io.bellwether.trainer.data;

import java.util.List;

/**
 * Rows in canonical order, each with where it goes on.
 *
 * @param rows by row id, ascending
 * @param next index of the row that follows in the session at the same position; -1 where none does
 * @param terminated whether nothing more can come after the row; where it is false and {@code next}
 *     is -1 we stopped looking
 * @param summary what the rows are
 */
@SuppressWarnings("ArrayRecordComponent") // columns are read, not compared
public record LinkedRows(
    List<TrainingRow> rows, int[] next, boolean[] terminated, DataSummary summary) {

  public LinkedRows {
    rows = List.copyOf(rows);
  }
}
