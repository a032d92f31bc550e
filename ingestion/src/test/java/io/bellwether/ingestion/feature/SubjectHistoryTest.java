package io.bellwether.ingestion.feature;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.ingestion.surface.Surface;
import io.bellwether.ingestion.surface.SurfaceReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class SubjectHistoryTest {

  private static final String YAML =
      """
      surface: feed
      slate: { size: 1 }
      history: { signals: [like], last: 3 }
      item: [ { name: age, type: number } ]
      signals: [ { name: like, type: flag, window: 1h } ]
      objective: { maximize: like }
      """;

  private final FeatureLayout layout = layout(YAML);

  @Test
  void theNewestRowIsLastAndPaddingFirst() {
    SubjectHistory history =
        new SubjectHistory(List.of(entry(2_000_000, "b", 5, 1), entry(1_000_000, "a", 4, 0)));
    float[] rows = new float[3 * layout.historyWidth()];

    history.encode(layout, 3_000_000, rows, 0);

    assertArrayEquals(
        new float[] {
          0, 0, 0, 0, 0, //
          1, (float) Math.log1p(2), 4, 1, 0, //
          1, (float) Math.log1p(1), 5, 1, 1
        },
        rows);
  }

  @Test
  void whatHappenedAtOrAfterTheDecisionIsLeftOut() {
    SubjectHistory history =
        new SubjectHistory(List.of(entry(1_000_000, "a", 4, 0), entry(2_000_000, "b", 5, 1)));
    float[] rows = new float[3 * layout.historyWidth()];

    history.encode(layout, 2_000_000, rows, 0);

    assertEquals(4, rows[2 * layout.historyWidth() + 2]);
    assertEquals(0, rows[layout.historyWidth()]);
  }

  @Test
  void bytesReadBackAsTheSameRows() {
    SubjectHistory history =
        new SubjectHistory(List.of(entry(2_000_000, "a", 4, 0), entry(2_000_000, "b", 5.3f, 1)));
    SubjectHistory read = SubjectHistory.fromBytes(history.toBytes(layout), layout);

    float[] expected = new float[3 * layout.historyWidth()];
    float[] rows = new float[3 * layout.historyWidth()];
    history.encode(layout, 9_000_000, expected, 0);
    read.encode(layout, 9_000_000, rows, 0);
    assertArrayEquals(expected, rows);
  }

  @Test
  void bytesOfAnotherLayoutAndGarbageReadAsEmpty() {
    FeatureLayout other = layout(YAML.replace("age", "price"));
    byte[] bytes = new SubjectHistory(List.of(entry(1, "a", 4, 0))).toBytes(layout);

    assertNotEquals(layout.digest(), other.digest());
    assertSame(SubjectHistory.EMPTY, SubjectHistory.fromBytes(bytes, other));
    assertSame(SubjectHistory.EMPTY, SubjectHistory.fromBytes(new byte[] {1, 2, 3}, layout));
    bytes[13] = 100;
    assertSame(SubjectHistory.EMPTY, SubjectHistory.fromBytes(bytes, layout));
    float[] rows = new float[3 * layout.historyWidth()];
    SubjectHistory.encode(bytes, layout, 9, RegisteredItems.NONE, rows, 0);
    assertArrayEquals(new float[rows.length], rows);
  }

  @Property
  void bytesGiveTheRowsOfTheirEntries(
      @ForAll @Size(max = 60) List<@LongRange(min = 0, max = 400_000_000_000L) Long> micros,
      @ForAll @Size(value = 4) List<Float> floats,
      @ForAll @LongRange(min = 0, max = 400_000_000_000L) long now) {
    RegisteredItems items =
        (reference, target, offset) -> {
          target[offset] = (float) reference;
          return true;
        };
    List<SubjectHistory.Entry> entries = new ArrayList<>();
    for (int i = 0; i < micros.size(); i++) {
      float[] signals = {floats.get(i % 4)};
      entries.add(
          i % 3 == 0
              ? entry(micros.get(i), "" + i, floats.get((i + 1) % 4), signals[0])
              : new SubjectHistory.Entry(
                  micros.get(i), "" + i, ItemReference.of("item" + i % 5), signals));
    }
    SubjectHistory history = new SubjectHistory(entries);
    byte[] bytes = history.toBytes(layout);
    SubjectHistory read = SubjectHistory.fromBytes(bytes, layout);
    long later = 1_000_000_000_000L + now;
    float[] expected = rows(history, later, items);
    float[] rows = new float[expected.length];
    SubjectHistory.encode(bytes, layout, later, items, rows, 0);

    assertArrayEquals(rows(read, later, items), rows);
    for (int i = 0; i < rows.length; i++) {
      boolean gap = i % layout.historyWidth() == 1;
      assertEquals(expected[i], rows[i], gap ? 0.005f : 0f);
    }
    assertEquals(entries.size(), read.entries().size());
    for (int i = 0; i < entries.size(); i++) {
      long at = history.entries().get(i).decidedAtMicros();
      long newest = history.entries().get(entries.size() - 1).decidedAtMicros();
      long off = Math.abs(read.entries().get(i).decidedAtMicros() - at);
      assertTrue(off <= 2_048 + (newest - at) / 250);
    }
  }

  private float[] rows(SubjectHistory history, long now, RegisteredItems items) {
    float[] rows = new float[3 * layout.historyWidth()];
    history.encode(layout, now, items, rows, 0);
    return rows;
  }

  @Test
  void bytesOfTheFirstVersionAreStillRead() {
    SubjectHistory.Entry entry = entry(1_234_567, "a", 4.7f, 1);
    ByteBuffer first = ByteBuffer.allocate(15 + 8 + 4 * 3).order(ByteOrder.LITTLE_ENDIAN);
    first.put((byte) 1).putLong(Long.parseUnsignedLong(layout.digest().substring(0, 16), 16));
    first.putShort((short) 2).putShort((short) 1).putShort((short) 1);
    first.putLong(1_234_567).putFloat(4.7f).putFloat(1).putFloat(1);
    float[] rows = new float[3 * layout.historyWidth()];
    SubjectHistory.encode(first.array(), layout, 2_000_000, RegisteredItems.NONE, rows, 0);

    assertArrayEquals(
        rows(new SubjectHistory(List.of(entry)), 2_000_000, RegisteredItems.NONE), rows);
  }

  @Test
  void fiftyRegisteredItemsWithAFlagTakeLessThanEightBytesEach() {
    List<SubjectHistory.Entry> entries = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      entries.add(
          new SubjectHistory.Entry(
              1_760_000_000_000_000L + i * 1_800_000_123L,
              "",
              ItemReference.of("item-" + i),
              new float[] {i % 2}));
    }
    assertTrue(new SubjectHistory(entries).toBytes(layout).length <= 378);
  }

  @Test
  void aReferenceTellsItemsOfOneHashCodeApart() {
    assertEquals("Aa".hashCode(), "BB".hashCode());
    assertNotEquals(ItemReference.of("Aa"), ItemReference.of("BB"));
    assertTrue(ItemReference.is(ItemReference.of("Aa"), "Aa"));
    assertFalse(ItemReference.is(ItemReference.of("Aa"), "BB"));
    assertNotEquals(ItemReference.NONE, ItemReference.of(""));
  }

  private static SubjectHistory.Entry entry(long at, String id, float age, float like) {
    return new SubjectHistory.Entry(at, id, new float[] {age, 1}, new float[] {like});
  }

  private static FeatureLayout layout(String yaml) {
    try {
      Surface surface =
          new SurfaceReader().parse("test.yaml", yaml.getBytes(StandardCharsets.UTF_8));
      return FeatureLayout.of(surface);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
