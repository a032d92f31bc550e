package io.bellwether.serving.retrieval;

import io.bellwether.serving.item.ItemTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The items of one surface that were registered last, newest first, as of the last {@link
 * #refresh}. One thread refreshes, any number read.
 */
final class FreshItems {

  /** More than any request takes, so that requests draw different ones. */
  private static final int MOST = 2000;

  private volatile Newest newest = new Newest(new String[0], new long[0]);
  private @Nullable ItemTable seen;

  /** Ids with their times of registration, newest first. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Newest(String[] ids, long[] atMillis) {

    /** How many of them were registered at this time or later. */
    int since(long millis) {
      int low = 0;
      int high = atMillis.length;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (atMillis[middle] >= millis) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }
  }

  Newest newest() {
    return newest;
  }

  /** Looks at a table, unless it is the one that was looked at last. */
  void refresh(ItemTable table) {
    if (table.equals(seen)) {
      return;
    }
    seen = table;
    long oldest = oldestOfTheNewest(table);
    int[] rows = rowsSince(table, oldest);
    String[] ids = new String[rows.length];
    long[] atMillis = new long[rows.length];
    for (int i = 0; i < rows.length; i++) {
      ids[i] = table.id(rows[i]);
      atMillis[i] = table.registeredAtMillis(rows[i]);
    }
    newest = new Newest(ids, atMillis);
  }

  private static long oldestOfTheNewest(ItemTable table) {
    PriorityQueue<Long> kept = new PriorityQueue<>();
    // From the end, where new items are: most of the others then do not even enter.
    for (int row = table.size() - 1; row >= 0; row--) {
      long at = table.registeredAtMillis(row);
      if (kept.size() < MOST) {
        kept.add(at);
      } else if (at > kept.peek()) {
        kept.poll();
        kept.add(at);
      }
    }
    return kept.isEmpty() ? 0 : kept.peek();
  }

  /** At most {@link #MOST}; of many with the oldest time those in the last rows. */
  private static int[] rowsSince(ItemTable table, long oldest) {
    List<Integer> rows = new ArrayList<>();
    for (int row = table.size() - 1; row >= 0; row--) {
      if (table.registeredAtMillis(row) > oldest) {
        rows.add(row);
      }
    }
    for (int row = table.size() - 1; row >= 0 && rows.size() < MOST; row--) {
      if (table.registeredAtMillis(row) == oldest) {
        rows.add(row);
      }
    }
    rows.sort(Comparator.comparingLong(table::registeredAtMillis).reversed());
    return rows.stream().mapToInt(Integer::intValue).toArray();
  }
}
