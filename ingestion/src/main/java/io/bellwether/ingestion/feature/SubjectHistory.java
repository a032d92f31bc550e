package io.bellwether.ingestion.feature;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * A subject's recent past on one surface, as it is kept online: one entry per decided item, oldest
 * first. Immutable.
 *
 * <p>Bytes, little-endian: a version byte 1, the first 8 bytes of the layout's digest as a long,
 * item floats and signal floats per entry as shorts, the number of entries as a short, then per
 * entry the time in microseconds as a long and its floats. Bytes of another layout read as empty:
 * the history fills up again.
 */
public final class SubjectHistory {

  /** The history of a subject of whom nothing is known. */
  public static final SubjectHistory EMPTY = new SubjectHistory(List.of());

  private static final byte VERSION = 1;
  private static final int HEADER_BYTES = 1 + 8 + 2 + 2 + 2;

  private final List<Entry> entries;

  /**
   * @param decidedAtMicros when the item was shown, microseconds since the epoch
   * @param decisionId breaks ties of time; not stored, empty when read back
   * @param item the item's encoded features
   * @param signals values in the order of the surface's history signals; 0 where none was observed
   */
  public record Entry(long decidedAtMicros, String decisionId, float[] item, float[] signals) {}

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
   * Writes {@code layout.historyLength()} rows to {@code rows}, newest last, zeros first.
   *
   * @param nowMicros time of the decision that is being made; entries after it are left out
   */
  public void encode(FeatureLayout layout, long nowMicros, float[] rows, int offset) {
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
      rows[at + 1] = (float) Math.log1p((nowMicros - entry.decidedAtMicros()) / 1e6);
      System.arraycopy(entry.item(), 0, rows, at + 2, entry.item().length);
      System.arraycopy(
          entry.signals(), 0, rows, at + 2 + entry.item().length, entry.signals().length);
      row--;
    }
  }

  /** The bytes that {@link #fromBytes} reads. */
  public byte[] toBytes(FeatureLayout layout) {
    int itemWidth = layout.itemWidth();
    int signals = signalCount(layout);
    ByteBuffer bytes =
        ByteBuffer.allocate(
                HEADER_BYTES + entries.size() * (8 + (itemWidth + signals) * Float.BYTES))
            .order(ByteOrder.LITTLE_ENDIAN);
    bytes.put(VERSION).putLong(tag(layout));
    bytes.putShort((short) itemWidth).putShort((short) signals).putShort((short) entries.size());
    for (Entry entry : entries) {
      bytes.putLong(entry.decidedAtMicros());
      for (float x : entry.item()) {
        bytes.putFloat(x);
      }
      for (float x : entry.signals()) {
        bytes.putFloat(x);
      }
    }
    return bytes.array();
  }

  /**
   * Reads what {@link #toBytes} wrote; bytes of another layout or version read as {@link #EMPTY}.
   */
  public static SubjectHistory fromBytes(byte[] stored, FeatureLayout layout) {
    ByteBuffer bytes = ByteBuffer.wrap(stored).order(ByteOrder.LITTLE_ENDIAN);
    int itemWidth = layout.itemWidth();
    int signals = signalCount(layout);
    if (bytes.remaining() < HEADER_BYTES
        || bytes.get() != VERSION
        || bytes.getLong() != tag(layout)
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

  private static int signalCount(FeatureLayout layout) {
    return layout.historyLength() == 0 ? 0 : layout.historyWidth() - 2 - layout.itemWidth();
  }

  private static long tag(FeatureLayout layout) {
    return Long.parseUnsignedLong(layout.digest().substring(0, 16), 16);
  }
}
