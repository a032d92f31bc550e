package io.bellwether.evaluation.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.NotEmpty;
import org.junit.jupiter.api.Test;

class ItemCountsTest {

  @Property(tries = 100)
  void mergingPartsEqualsOnePass(
      @ForAll @NotEmpty List<@IntRange(min = 0, max = 9) Integer> items,
      @ForAll @IntRange(min = 0, max = 100) int cut) {
    int at = Math.min(cut, items.size());
    ItemCounts left = counts(items.subList(0, at));
    left.merge(counts(items.subList(at, items.size())));
    assertEquals(counts(items).mostFrequent(3), left.mostFrequent(3));
  }

  @Test
  void frequentItemsComeFirstAndTheirNamesDecideTies() {
    ActionIndex index = counts(List.of(7, 3, 7, 5, 3, 9, 7)).mostFrequent(3);
    assertEquals("item 7", index.name(0));
    assertEquals("item 3", index.name(1));
    assertEquals("item 5", index.name(2));
    assertEquals(3, index.numberOf("item 9"));
    assertEquals(index.other(), index.numberOf("never seen"));
    assertEquals(ActionIndex.OTHER, index.name(3));
    assertEquals(4, index.size());
  }

  @Test
  void frequentItemsSurviveAFloodOfRareOnes() {
    ItemCounts counts = new ItemCounts();
    for (int round = 0; round < 50; round++) {
      for (int item = 0; item < 1000; item++) {
        counts.add("rare %d %d".formatted(round, item));
        counts.add("frequent " + item % 20);
      }
    }
    ActionIndex index = counts.mostFrequent(20);
    IntStream.range(0, 20)
        .forEach(item -> assertTrue(index.numberOf("frequent " + item) < index.other()));
    assertTrue(counts.missed() > 0);
    assertTrue(counts.missed() <= 100_000 / (ItemCounts.MAX_EXACT_ITEMS / 2 + 1));
  }

  @Test
  void bytesHoldEverything() throws IOException {
    ItemCounts counts = counts(List.of(1, 2, 2, 3, 3, 3));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    counts.writeTo(new DataOutputStream(bytes));
    counts.mostFrequent(2).writeTo(new DataOutputStream(bytes));
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()));
    assertEquals(counts.mostFrequent(3), ItemCounts.readFrom(in).mostFrequent(3));
    assertEquals(counts.mostFrequent(2), ActionIndex.readFrom(in));
  }

  @Test
  void moreItemsThanCanBeToldApartAreRefused() {
    List<String> many = IntStream.range(0, 201).mapToObj(Integer::toString).toList();
    assertThrows(IllegalArgumentException.class, () -> ActionIndex.of(many));
    assertThrows(IllegalArgumentException.class, () -> ActionIndex.of(Collections.nCopies(2, "a")));
  }

  private static ItemCounts counts(List<Integer> items) {
    ItemCounts counts = new ItemCounts();
    items.forEach(item -> counts.add("item " + item));
    return counts;
  }
}
