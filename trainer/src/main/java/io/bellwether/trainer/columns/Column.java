package io.bellwether.trainer.columns;

import java.io.Serializable;

/**
 * A column of a log's files. Immutable.
 *
 * @param name of the column
 * @param kind of its numbers
 * @param mayBeUnknown whether a NaN says that the column is not known, and then for the whole log
 */
public record Column(String name, Kind kind, boolean mayBeUnknown) implements Serializable {

  private static final long serialVersionUID = 1;

  /** What a column's numbers are. */
  public enum Kind {
    INT(Integer.BYTES),
    LONG(Long.BYTES),
    DOUBLE(Double.BYTES);

    private final int bytes;

    Kind(int bytes) {
      this.bytes = bytes;
    }

    public int bytes() {
      return bytes;
    }
  }

  static Column ints(String name) {
    return new Column(name, Kind.INT, false);
  }

  static Column longs(String name) {
    return new Column(name, Kind.LONG, false);
  }

  static Column doubles(String name) {
    return new Column(name, Kind.DOUBLE, false);
  }

  static Column doublesOrUnknown(String name) {
    return new Column(name, Kind.DOUBLE, true);
  }
}
