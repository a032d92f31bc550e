package io.bellwether.serving.retrieval;

import io.bellwether.serving.item.ItemTable;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one table that meet all conditions, a bit each. Immutable and thread-safe. What an
 * earlier table of the same surface has in common with this one is not looked at again.
 */
final class Matches {

  private static final int CHUNK_ROWS = ItemTable.CHUNK_ROWS;
  private static final int CHUNK_LONGS = CHUNK_ROWS / Long.SIZE;

  private final ItemTable table;

  /** Bit {@code row % 64} of {@code bits[row / 64]}; empty where every row matches. */
  private final long[] bits;

  /** Matches before each chunk, and at the end all of them. */
  private final int[] before;

  private Matches(ItemTable table, long[] bits) {
    this.table = table;
    this.bits = bits;
    before = new int[table.chunks() + 1];
    for (int chunk = 0; chunk < table.chunks(); chunk++) {
      before[chunk + 1] = before[chunk];
      if (bits.length == 0) {
        before[chunk + 1] = Math.min(table.size(), (chunk + 1) * CHUNK_ROWS);
      }
      for (int i = chunk * CHUNK_LONGS; i < Math.min(bits.length, (chunk + 1) * CHUNK_LONGS); i++) {
        before[chunk + 1] += Long.bitCount(bits[i]);
      }
    }
  }

  /**
   * The matches of a table.
   *
   * @param earlier matches of the same conditions in another table of the surface, if there are any
   */
  static Matches of(
      ItemTable table, List<ItemFilter.Condition> conditions, @Nullable Matches earlier) {
    if (conditions.isEmpty()) {
      return new Matches(table, new long[0]);
    }
    ItemFilter.RowTest[] tests =
        conditions.stream().map(c -> c.against(table)).toArray(ItemFilter.RowTest[]::new);
    long[] bits = new long[table.chunks() * CHUNK_LONGS];
    for (int chunk = 0; chunk < table.chunks(); chunk++) {
      int from = chunk * CHUNK_LONGS;
      if (earlier != null && earlier.sharesWhole(table, chunk)) {
        System.arraycopy(earlier.bits, from, bits, from, CHUNK_LONGS);
      } else {
        int end = Math.min(table.size(), (chunk + 1) * CHUNK_ROWS);
        for (int row = chunk * CHUNK_ROWS; row < end; row++) {
          if (meetsAll(tests, row)) {
            bits[row >>> 6] |= 1L << row;
          }
        }
      }
    }
    return new Matches(table, bits);
  }

  private static boolean meetsAll(ItemFilter.RowTest[] tests, int row) {
    for (ItemFilter.RowTest test : tests) {
      if (!test.meets(row)) {
        return false;
      }
    }
    return true;
  }

  private boolean sharesWhole(ItemTable other, int chunk) {
    return chunk < table.chunks() && table.chunk(chunk) == other.chunk(chunk);
  }

  /** The table that these are rows of. */
  ItemTable table() {
    return table;
  }

  /** How many rows match. */
  int count() {
    return before[before.length - 1];
  }

  /** Whether a row matches. */
  boolean has(int row) {
    return bits.length == 0 || (bits[row >>> 6] & (1L << row)) != 0;
  }

  /** The row of the match with this number, in {@code [0, count)}. */
  int row(int number) {
    if (bits.length == 0) {
      return number;
    }
    int found = Arrays.binarySearch(before, number);
    // Of chunks without a match, which repeat the number before them, any may be found.
    int chunk = found >= 0 ? found : -found - 2;
    while (before[chunk + 1] <= number) {
      chunk++;
    }
    while (before[chunk] > number) {
      chunk--;
    }
    int left = number - before[chunk];
    int at = chunk * CHUNK_LONGS;
    while (left >= Long.bitCount(bits[at])) {
      left -= Long.bitCount(bits[at++]);
    }
    long word = bits[at];
    for (; left > 0; left--) {
      word &= word - 1;
    }
    return (at << 6) + Long.numberOfTrailingZeros(word);
  }
}
