package io.bellwether.ingestion.history;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The rule by which a subject's newest items are kept: whatever order the updates of different
 * decisions come in, the same items remain. Immutable.
 *
 * @param last how many items are kept
 * @param itemWidth floats of an item
 * @param signals number of history signals
 */
record RecentItems(int last, int itemWidth, int signals) {

  private static final Comparator<ShownItem> IN_TIME =
      Comparator.comparingLong(ShownItem::decidedAtMicros)
          .thenComparing(ShownItem::decisionId)
          .thenComparingInt(ShownItem::position);

  /**
   * The items after an update, oldest first. What was kept under another layout is let go.
   *
   * @param before is left as it is
   */
  List<ShownItem> after(List<ShownItem> before, HistoryUpdate update) {
    List<ShownItem> items = new ArrayList<>(before);
    items.removeIf(i -> i.item().length != itemWidth || i.signals().length != signals);
    for (int position = 0; position < update.positions(); position++) {
      apply(update, position, items);
    }
    items.sort(IN_TIME);
    return items.size() <= last
        ? items
        : new ArrayList<>(items.subList(items.size() - last, items.size()));
  }

  private void apply(HistoryUpdate update, int position, List<ShownItem> items) {
    float[] values = row(update.signals(), position, signals);
    for (int i = 0; i < items.size(); i++) {
      ShownItem known = items.get(i);
      if (known.is(update.decisionId(), position)) {
        items.set(i, shown(update, position, known.item(), values));
        return;
      }
    }
    boolean news = update.items().length == update.positions() * itemWidth;
    if (news) {
      items.add(shown(update, position, row(update.items(), position, itemWidth), values));
    }
  }

  private static ShownItem shown(HistoryUpdate update, int position, float[] item, float[] values) {
    return new ShownItem(update.decidedAtMicros(), update.decisionId(), position, item, values);
  }

  private static float[] row(float[] rows, int row, int width) {
    return Arrays.copyOfRange(rows, row * width, (row + 1) * width);
  }
}
