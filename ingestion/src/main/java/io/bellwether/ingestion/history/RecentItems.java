package io.bellwether.ingestion.history;

import io.bellwether.ingestion.feature.ItemReference;
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
public record RecentItems(int last, int itemWidth, int signals) {

  private static final float[] NO_FEATURES = {};

  private static final Comparator<ShownItem> IN_TIME =
      Comparator.comparingLong(ShownItem::decidedAtMicros)
          .thenComparing(ShownItem::decisionId)
          .thenComparingInt(ShownItem::position);

  /**
   * The items after an update, oldest first. What was kept under another layout is let go.
   *
   * @param before is left as it is
   */
  public List<ShownItem> after(List<ShownItem> before, HistoryUpdate update) {
    List<ShownItem> items = new ArrayList<>(before);
    items.removeIf(item -> !fits(item));
    for (int position = 0; position < update.positions(); position++) {
      apply(update, position, items);
    }
    items.sort(IN_TIME);
    return items.size() <= last
        ? items
        : new ArrayList<>(items.subList(items.size() - last, items.size()));
  }

  private boolean fits(ShownItem item) {
    boolean registered = item.reference() != ItemReference.NONE;
    return item.signals().length == signals && (registered || item.item().length == itemWidth);
  }

  private void apply(HistoryUpdate update, int position, List<ShownItem> items) {
    float[] values = row(update.signals(), position, signals);
    for (int i = 0; i < items.size(); i++) {
      ShownItem known = items.get(i);
      if (known.is(update.decisionId(), position)) {
        items.set(i, shown(update, position, known.reference(), known.item(), values));
        return;
      }
    }
    if (update.references().length == update.positions()) {
      long reference = update.references()[position];
      items.add(shown(update, position, reference, NO_FEATURES, values));
    } else if (update.items().length == update.positions() * itemWidth) {
      float[] item = row(update.items(), position, itemWidth);
      items.add(shown(update, position, ItemReference.NONE, item, values));
    }
  }

  private static ShownItem shown(
      HistoryUpdate update, int position, long reference, float[] item, float[] values) {
    return new ShownItem(
        update.decidedAtMicros(), update.decisionId(), position, item, values, reference);
  }

  private static float[] row(float[] rows, int row, int width) {
    return Arrays.copyOfRange(rows, row * width, (row + 1) * width);
  }
}
