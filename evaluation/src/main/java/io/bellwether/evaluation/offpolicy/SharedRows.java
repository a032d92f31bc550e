package io.bellwether.evaluation.offpolicy;

import java.util.IdentityHashMap;
import java.util.Map;

/**
 * The decision that several readers of the same columns look at, read once for all of them.
 * Confined to one thread.
 */
final class SharedRows {
  private final Map<DecisionColumns, Cursor> cursors = new IdentityHashMap<>();

  /** Where one view's readers stand. */
  static final class Cursor {
    private final DecisionColumns columns;
    private final DecisionRow row;
    private int decision = -1;

    private Cursor(DecisionColumns columns) {
      this.columns = columns;
      row = columns.newRow();
    }

    /** A decision of the log, which the next one overwrites. */
    DecisionRow at(int wanted) {
      if (wanted != decision) {
        columns.read(wanted, row);
        decision = wanted;
      }
      return row;
    }
  }

  Cursor of(DecisionColumns columns) {
    return cursors.computeIfAbsent(columns, Cursor::new);
  }
}
