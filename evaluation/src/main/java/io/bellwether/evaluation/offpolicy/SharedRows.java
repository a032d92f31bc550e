package io.bellwether.evaluation.offpolicy;

import java.util.HashMap;
import java.util.Map;

/**
 * The decision that several readers of the same columns look at, whichever decisions each of them
 * wants, read once for all of them. Confined to one thread.
 */
final class SharedRows {
  private final Map<Object, Cursor> cursors = new HashMap<>();

  /** Where the readers of one content stand. */
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
    return cursors.computeIfAbsent(columns.content(), content -> new Cursor(columns));
  }
}
