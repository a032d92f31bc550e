package io.bellwether.ingestion.feature;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/**
 * A subject's recent past on one surface, as it is kept online: one entry per decided item, oldest
 * first. Immutable.
 *
 * <p>A registered item is held as an {@link ItemReference}, and its features are those that it has
 * when the history is used; the features of an inline item are held as they were. Bytes of another
 * layout read as empty: the history fills up again. Bytes are written as {@link StoredHistory} says
 * and read in version 1 as well: little-endian, a version byte 1, the first 8 bytes of the layout's
 * digest as a long, item floats and signal floats per entry as shorts, the number of entries as a
 * short, then per entry the time in microseconds as a long and its floats.
 */
public final class SubjectHistory {

  /** The history of a subject of whom nothing is known. */
  public static final SubjectHistory EMPTY = new SubjectHistory(List.of());

  private static final byte FIRST_VERSION = 1;
  private static final int FIRST_HEADER_BYTES = 1 + 8 + 2 + 2 + 2;
  private static final float[] NO_FEATURES = {};

  private final List<Entry> entries;

  /**
   * An item that was shown.
   *
   * @param decidedAtMicros when the item was shown, microseconds since the epoch
   * @param decisionId breaks ties of time; not stored, empty when read back
   * @param reference the item where it is registered; {@link ItemReference#NONE} otherwise
   * @param item the encoded features of an item that is not registered; empty otherwise
   * @param signals values in the order of the surface's history signals; 0 where none was observed
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Entry(
      long decidedAtMicros, String decisionId, long reference, float[] item, float[] signals) {

    /** An item that is not registered. */
    public Entry(long decidedAtMicros, String decisionId, float[] item, float[] signals) {
      this(decidedAtMicros, decisionId, ItemReference.NONE, item, signals);
    }

    /** A registered item. */
    public Entry(long decidedAtMicros, String decisionId, long reference, float[] signals) {
      this(decidedAtMicros, decisionId, reference, NO_FEATURES, signals);
    }

    boolean isRegistered() {
      return reference != ItemReference.NONE;
    }
  }

  public SubjectHistory(List<Entry> entries) {
    this.entries =
        entries.stream()
            .sorted(
                Comparator.comparingLong(Entry::decidedAtMicros).thenComparing(Entry::decisionId))
            .toList();
  }

  public List<Entry> entries() {
    return entries;
  }

  /** The key under which Redis holds a subject's history on a surface. */
  public static String redisKey(String surface, String subjectId) {
    return "bellwether:history:" + surface + ":" + subjectId;
  }

  /**
   * Writes {@code layout.historyLength()} rows to {@code rows}, newest last, zeros first. The
   * features of a registered item are zeros.
   *
   * @param nowMicros time of the decision that is being made; entries after it are left out
   */
  public void encode(FeatureLayout layout, long nowMicros, float[] rows, int offset) {
    encode(layout, nowMicros, RegisteredItems.NONE, rows, offset);
  }

  /**
   * Writes {@code layout.historyLength()} rows to {@code rows}, newest last, zeros first.
   *
   * @param nowMicros time of the decision that is being made; entries after it are left out
   * @param items where registered items have their features; those of one that is not there are
   *     zeros
   */
  public void encode(
      FeatureLayout layout, long nowMicros, RegisteredItems items, float[] rows, int offset) {
    int width = layout.historyWidth();
    int length = layout.historyLength();
    Arrays.fill(rows, offset, offset + length * width, 0f);
    int row = length - 1;
    for (int i = entries.size() - 1; i >= 0 && row >= 0; i--) {
      Entry entry = entries.get(i);
      if (entry.decidedAtMicros() >= nowMicros) {
        continue;
      }
      int at = offset + row * width;
      rows[at] = 1f;
      rows[at + 1] = gap(nowMicros, entry.decidedAtMicros());
      if (entry.isRegistered()) {
        items.copy(entry.reference(), rows, at + 2);
      } else {
        System.arraycopy(entry.item(), 0, rows, at + 2, entry.item().length);
      }
      System.arraycopy(
          entry.signals(), 0, rows, at + 2 + layout.itemWidth(), entry.signals().length);
      row--;
    }
  }

  /**
   * Writes the rows of what {@link #toBytes} wrote, as {@code fromBytes(stored,
   * layout).encode(...)} does, but without an object per entry.
   */
  public static void encode(
      byte[] stored,
      FeatureLayout layout,
      long nowMicros,
      RegisteredItems items,
      float[] rows,
      int offset) {
    if (stored.length > 0 && stored[0] == FIRST_VERSION) {
      fromBytes(stored, layout).encode(layout, nowMicros, items, rows, offset);
      return;
    }
    int end = offset + layout.historyLength() * layout.historyWidth();
    Arrays.fill(rows, offset, end, 0f);
    if (!StoredHistory.read(stored, layout).encode(layout, nowMicros, items, rows, offset)) {
      Arrays.fill(rows, offset, end, 0f);
    }
  }

  /** The bytes that {@link #fromBytes} reads. */
  public byte[] toBytes(FeatureLayout layout) {
    return StoredHistory.write(entries, layout);
  }

  /**
   * Reads what {@link #toBytes} wrote; bytes of another layout or version read as {@link #EMPTY}.
   * An entry's time is exact to 1/256 of what lies between it and the newest one, or to 2 ms.
   */
  public static SubjectHistory fromBytes(byte[] stored, FeatureLayout layout) {
    if (stored.length > 0 && stored[0] == FIRST_VERSION) {
      return fromFirstVersion(stored, layout);
    }
    int itemWidth = layout.itemWidth();
    float[] row = new float[itemWidth + signalCount(layout)];
    List<Entry> entries = new ArrayList<>();
    StoredHistory reader = StoredHistory.read(stored, layout);
    while (reader.next(row, 0) && !reader.broken()) {
      float[] signals = Arrays.copyOfRange(row, itemWidth, row.length);
      entries.add(
          reader.reference() == ItemReference.NONE
              ? new Entry(reader.timeMicros(), "", Arrays.copyOf(row, itemWidth), signals)
              : new Entry(reader.timeMicros(), "", reader.reference(), signals));
    }
    if (entries.isEmpty() || reader.broken()) {
      return EMPTY;
    }
    Collections.reverse(entries);
    return new SubjectHistory(entries);
  }

  private static SubjectHistory fromFirstVersion(byte[] stored, FeatureLayout layout) {
    ByteBuffer bytes = ByteBuffer.wrap(stored).order(ByteOrder.LITTLE_ENDIAN);
    int itemWidth = layout.itemWidth();
    int signals = signalCount(layout);
    if (bytes.remaining() < FIRST_HEADER_BYTES
        || bytes.get() != FIRST_VERSION
        || bytes.getLong() != Long.parseUnsignedLong(layout.digest().substring(0, 16), 16)
        || bytes.getShort() != itemWidth
        || bytes.getShort() != signals) {
      return EMPTY;
    }
    int count = bytes.getShort();
    if (bytes.remaining() != count * (8 + (itemWidth + signals) * Float.BYTES)) {
      return EMPTY;
    }
    List<Entry> entries = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      long at = bytes.getLong();
      entries.add(new Entry(at, "", floats(bytes, itemWidth), floats(bytes, signals)));
    }
    return new SubjectHistory(entries);
  }

  private static float[] floats(ByteBuffer bytes, int count) {
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = bytes.getFloat();
    }
    return values;
  }

  /** ln(1 + seconds) between two times. */
  static float gap(long nowMicros, long atMicros) {
    return (float) Math.log1p((nowMicros - atMicros) / 1e6);
  }

  static int signalCount(FeatureLayout layout) {
    return layout.historyLength() == 0 ? 0 : layout.historyWidth() - 2 - layout.itemWidth();
  }
}
