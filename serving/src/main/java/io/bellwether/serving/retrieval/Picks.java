package io.bellwether.serving.retrieval;

import java.util.Arrays;

/** Rows in the order in which they were picked, each once. Confined to one thread. */
final class Picks {

  private final int[] rows;

  /** Open addressing: {@code row + 1}, 0 where nothing is. */
  private final int[] seen;

  private int size;

  /**
   * @param most rows to be picked
   * @param barred rows that are never picked
   */
  Picks(int most, int[] barred) {
    rows = new int[most];
    seen = new int[Integer.highestOneBit(4 * (most + barred.length) + 1)];
    for (int row : barred) {
      mark(row);
    }
  }

  /** Picks a row, unless it was picked or barred before, or there are enough. */
  boolean add(int row) {
    if (size == rows.length || !mark(row)) {
      return false;
    }
    rows[size++] = row;
    return true;
  }

  boolean full() {
    return size == rows.length;
  }

  int size() {
    return size;
  }

  int[] rows() {
    return Arrays.copyOf(rows, size);
  }

  private boolean mark(int row) {
    int mask = seen.length - 1;
    int at = ((row * 0x9E3779B9) >>> 7) & mask;
    while (seen[at] != 0) {
      if (seen[at] == row + 1) {
        return false;
      }
      at = (at + 1) & mask;
    }
    seen[at] = row + 1;
    return true;
  }
}
