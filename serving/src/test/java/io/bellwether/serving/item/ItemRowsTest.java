package io.bellwether.serving.item;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.ingestion.feature.ItemReference;
import io.bellwether.ingestion.surface.Feature;
import io.bellwether.policy.scoring.CounterRandom;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ItemRowsTest {

  private static final List<Feature> FEATURES =
      List.of(
          new Feature.Number("price", 0, 1e9),
          new Feature.Category("brand", List.of(), 8),
          new Feature.Categories("tags", List.of(), 8, 2));

  private final ItemRows rows = new ItemRows(FEATURES);

  /** What an item should be. */
  private record Expected(float price, String brand, long at) {}

  @Test
  void tablesEqualAMapThroughManyChanges() {
    Map<String, Expected> expected = new HashMap<>();
    ItemTable before = rows.table();
    Map<String, Expected> expectedBefore = Map.of();
    for (int step = 0; step < 6000; step++) {
      String id = "item-" + (int) (1500 * CounterRandom.uniform(1, 1, step, 0, 0));
      if (CounterRandom.uniform(1, 2, step, 0, 0) < 0.3) {
        rows.remove(id);
        expected.remove(id);
      } else {
        Expected item = new Expected(step, "brand-" + step % 37, step * 7L);
        put(id, item);
        expected.put(id, item);
      }
      if (step % 500 == 0) {
        check(before, expectedBefore);
        before = rows.table();
        expectedBefore = Map.copyOf(expected);
      }
    }
    check(before, expectedBefore);
    check(rows.table(), expected);
  }

  @Test
  void oneMoreItemLeavesOtherChunksShared() {
    for (int i = 0; i < 1000; i++) {
      put("item-" + i, new Expected(i, "b", 0));
    }
    ItemTable before = rows.table();
    put("item-3", new Expected(-1, "c", 0));
    put("another", new Expected(-1, "c", 0));
    ItemTable after = rows.table();
    assertNotSame(before.chunk(0), after.chunk(0));
    assertSame(before.chunk(1), after.chunk(1));
    assertSame(before.chunk(2), after.chunk(2));
    assertNotSame(before.chunk(3), after.chunk(3));
    assertEquals(before.revision() + 1, after.revision());
    assertEquals("b", before.text(1, before.word(1, 3)));
    assertEquals("c", after.text(1, after.word(1, 3)));
  }

  @Test
  void aReferenceFindsItsItemAmongThoseOfOneHashCode() {
    put("Aa", new Expected(1, "b", 0));
    put("BB", new Expected(2, "b", 0));
    ItemTable table = rows.table();
    float[] row = new float[table.columns().width()];

    assertTrue(table.copy(ItemReference.of("BB"), row, 0));
    assertEquals(2, row[0]);
    assertTrue(table.copy(ItemReference.of("Aa"), row, 0));
    assertEquals(1, row[0]);
    assertFalse(table.copy(ItemReference.of("C#"), row, 0), "it has the same hash code");
    assertEquals(1, row[0]);
  }

  @Test
  void everyTextOfAnItemHasItsWord() {
    ObjectNode features = JsonNodeFactory.instance.objectNode();
    features.putArray("tags").add("new").add("red");
    rows.put("a", features, new float[5], 0);
    features.putArray("tags").add("red");
    rows.put("b", features, new float[5], 0);
    ItemTable table = rows.table();
    int tags = table.columns().feature("tags");
    assertEquals("new", table.text(tags, table.word(tags, 0, 0)));
    assertEquals(table.word(tags, 0, 1), table.word(tags, 1, 0));
    assertEquals(0, table.word(tags, 1, 1));
    assertEquals(table.word(tags, 1), table.code(tags, "red"));
    assertEquals(-1, table.code(tags, "blue"));
    assertEquals(0, table.word(table.columns().feature("brand"), 0));
  }

  private void put(String id, Expected item) {
    JsonNode features =
        JsonNodeFactory.instance.objectNode().put("price", item.price()).put("brand", item.brand());
    rows.put(id, features, new float[] {item.price(), 1, 0, 0, 0}, item.at());
  }

  private static void check(ItemTable table, Map<String, Expected> expected) {
    assertEquals(expected.size(), table.size());
    expected.forEach(
        (id, item) -> {
          int row = table.row(id);
          assertEquals(id, table.id(row));
          assertEquals(item.price(), table.number(0, row));
          assertEquals(item.brand(), table.text(1, table.word(1, row)));
          assertEquals(item.at(), table.registeredAtMillis(row));
        });
    assertEquals(-1, table.row("never"));
  }
}
