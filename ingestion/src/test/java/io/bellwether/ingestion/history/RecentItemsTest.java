package io.bellwether.ingestion.history;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bellwether.ingestion.feature.ItemReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class RecentItemsTest {

  private static final RecentItems RULE = new RecentItems(3, 1, 1);
  private static final float[] SHOWN_BEFORE = {};

  @Property
  void theNewestItemsRemainWhateverOrderDecisionsComeIn(
      @ForAll @Size(max = 12) List<@IntRange(max = 30) Integer> seconds, @ForAll long seed) {
    List<HistoryUpdate> updates = new ArrayList<>();
    for (int i = 0; i < seconds.size(); i++) {
      updates.add(update("d" + i, seconds.get(i), new float[] {i}, 0));
    }
    List<HistoryUpdate> shuffled = new ArrayList<>(updates);
    shuffled.addAll(updates);
    Collections.shuffle(shuffled, new Random(seed));

    assertEquals(ids(after(updates)), ids(after(shuffled)));
  }

  @Test
  void aSignalUpdatesItsItemAndKeepsItsFeatures() {
    List<ShownItem> items =
        after(
            List.of(
                update("a", 1, new float[] {7}, 0),
                update("b", 2, new float[] {8}, 0),
                update("a", 1, SHOWN_BEFORE, 5)));

    assertEquals(List.of("a", "b"), ids(items));
    assertArrayEquals(new float[] {7}, items.get(0).item());
    assertArrayEquals(new float[] {5}, items.get(0).signals());
  }

  @Test
  void aSignalOfAnItemThatIsNoLongerKeptChangesNothing() {
    assertEquals(List.of(), after(List.of(update("a", 1, SHOWN_BEFORE, 5))));
  }

  @Test
  void itemsOfAnotherLayoutAreLetGo() {
    List<ShownItem> old = List.of(shown("a", new float[2], new float[1], 0));

    assertEquals(List.of("b"), ids(RULE.after(old, update("b", 2, new float[] {8}, 0))));
  }

  @Test
  void registeredItemsOutliveTheirLayoutButNotTheHistorysSignals() {
    long item = ItemReference.of("7");
    List<ShownItem> old =
        List.of(
            shown("a", new float[0], new float[1], item),
            shown("b", new float[0], new float[2], item));

    assertEquals(List.of("a", "c"), ids(RULE.after(old, update("c", 2, new float[] {8}, 0))));
  }

  @Test
  void aSignalKeepsTheReferenceOfARegisteredItem() {
    long item = ItemReference.of("7");
    HistoryUpdate shown =
        new HistoryUpdate(
            "clips", "s", "a", 1, 1, new long[] {item}, new float[0], new float[] {0});

    List<ShownItem> items = after(List.of(shown, update("a", 1, SHOWN_BEFORE, 5)));

    assertEquals(item, items.get(0).reference());
    assertArrayEquals(new float[] {5}, items.get(0).signals());
  }

  private static List<ShownItem> after(List<HistoryUpdate> updates) {
    List<ShownItem> items = List.of();
    for (HistoryUpdate update : updates) {
      items = RULE.after(items, update);
    }
    return items;
  }

  private static List<String> ids(List<ShownItem> items) {
    return items.stream().map(ShownItem::decisionId).toList();
  }

  private static HistoryUpdate update(String id, long second, float[] items, float signal) {
    return new HistoryUpdate(
        "clips", "s", id, second * 1_000_000, 1, new long[0], items, new float[] {signal});
  }

  private static ShownItem shown(String id, float[] item, float[] signals, long reference) {
    return new ShownItem(0, id, 0, item, signals, reference);
  }
}
