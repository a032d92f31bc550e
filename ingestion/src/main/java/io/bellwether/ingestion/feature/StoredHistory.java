package io.bellwether.ingestion.feature;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/**
 * A history as Redis holds it, version 2: little-endian bytes, then bits, the lowest of a byte
 * first.
 *
 * <p>A version byte 2, the first 4 bytes of the layout's digest as an int, the time of the newest
 * entry in microseconds as a long, the number of entries as a short. Then, newest first, per entry:
 *
 * <ul>
 *   <li>how much older it is than the one before: bit 0 for not at all; otherwise bit 1, then 5
 *       bits e and 7 bits m, which say m (e = 0) or (128 + m) 2<sup>e-1</sup> units of {@code 2^12}
 *       microseconds. A time is exact to 1/256 of what lies between it and the newest entry, or to
 *       2 ms; errors do not add up;
 *   <li>bit 1 and the 40 bits of an {@link ItemReference}, or bit 0 and the item's floats;
 *   <li>the signals, as floats.
 * </ul>
 *
 * <p>Floats lose nothing, see {@link BitsOut#write(float)}: items are told apart by them. Confined
 * to one thread; reads from the newest entry to the oldest.
 */
final class StoredHistory {

  static final byte VERSION = 2;

  private static final int HEADER_BYTES = 1 + 4 + 8 + 2;
  private static final int MAX_ENTRIES = 0xFFFF;
  private static final int UNIT_BITS = 12;
  private static final int MANTISSA_BITS = 7;
  private static final int EXPONENT_BITS = 5;
  private static final int LEADING = 1 << MANTISSA_BITS;

  /** The largest difference that is told, 17 years. */
  private static final long MOST_UNITS = 1L << 37;

  private final BitsIn bits;
  private final int itemWidth;
  private final int signals;
  private long timeMicros;
  private long reference;
  private int left;

  private StoredHistory(BitsIn bits, int itemWidth, int signals, long newestMicros, int left) {
    this.bits = bits;
    this.itemWidth = itemWidth;
    this.signals = signals;
    this.timeMicros = newestMicros;
    this.left = left;
  }

  /**
   * Writes entries.
   *
   * @param entries oldest first; of more than 65535 the newest
   */
  static byte[] write(List<SubjectHistory.Entry> entries, FeatureLayout layout) {
    int count = Math.min(entries.size(), MAX_ENTRIES);
    BitsOut bits = new BitsOut();
    long newest = count == 0 ? 0 : entries.get(entries.size() - 1).decidedAtMicros();
    long before = newest;
    for (int i = 0; i < count; i++) {
      SubjectHistory.Entry entry = entries.get(entries.size() - 1 - i);
      before -= writeAge(bits, before - entry.decidedAtMicros());
      if (entry.isRegistered()) {
        bits.write(1, 1);
        bits.write(ItemReference.bits(entry.reference()), ItemReference.BITS);
      } else {
        bits.write(0, 1);
        write(bits, entry.item());
      }
      write(bits, entry.signals());
    }
    byte[] body = bits.toBytes();
    return ByteBuffer.allocate(HEADER_BYTES + body.length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(VERSION)
        .putInt(tag(layout))
        .putLong(newest)
        .putShort((short) count)
        .put(body)
        .array();
  }

  private static void write(BitsOut bits, float[] values) {
    for (float value : values) {
      bits.write(value);
    }
  }

  /**
   * @return what was written, microseconds
   */
  private static long writeAge(BitsOut bits, long micros) {
    long units = (Math.max(0, micros) + (1L << (UNIT_BITS - 1))) >> UNIT_BITS;
    if (units == 0) {
      bits.write(0, 1);
      return 0;
    }
    units = Math.min(units, MOST_UNITS);
    int exponent = 0;
    if (units >= LEADING) {
      exponent = 64 - Long.numberOfLeadingZeros(units) - MANTISSA_BITS;
      int dropped = exponent - 1;
      units = (units + ((1L << dropped) >> 1)) >> dropped;
      if (units == 2 * LEADING) {
        units = LEADING;
        exponent++;
      }
    }
    bits.write(1, 1);
    bits.write(exponent, EXPONENT_BITS);
    bits.write(units & (LEADING - 1), MANTISSA_BITS);
    return (exponent == 0 ? units : units << (exponent - 1)) << UNIT_BITS;
  }

  /** A reader of bytes; one without entries where they are of another layout or version. */
  static StoredHistory read(byte[] stored, FeatureLayout layout) {
    ByteBuffer bytes = ByteBuffer.wrap(stored).order(ByteOrder.LITTLE_ENDIAN);
    BitsIn bits = new BitsIn(stored, HEADER_BYTES);
    int itemWidth = layout.itemWidth();
    int signals = SubjectHistory.signalCount(layout);
    boolean readable =
        stored.length >= HEADER_BYTES && bytes.get() == VERSION && bytes.getInt() == tag(layout);
    return readable
        ? new StoredHistory(
            bits, itemWidth, signals, bytes.getLong(), bytes.getShort() & MAX_ENTRIES)
        : new StoredHistory(bits, itemWidth, signals, 0, 0);
  }

  /**
   * Goes to the next older entry and writes its floats, item then signals; the item's are left
   * alone where it is a registered one.
   *
   * @return whether there is one
   */
  boolean next(float[] target, int offset) {
    if (left == 0) {
      return false;
    }
    left--;
    timeMicros -= readAge();
    if (bits.read(1) == 1) {
      reference = ItemReference.ofBits(bits.read(ItemReference.BITS));
    } else {
      reference = ItemReference.NONE;
      read(target, offset, itemWidth);
    }
    read(target, offset + itemWidth, signals);
    return true;
  }

  private void read(float[] target, int offset, int count) {
    for (int i = offset; i < offset + count; i++) {
      target[i] = bits.readFloat();
    }
  }

  private long readAge() {
    if (bits.read(1) == 0) {
      return 0;
    }
    int exponent = (int) bits.read(EXPONENT_BITS);
    long mantissa = bits.read(MANTISSA_BITS);
    return (exponent == 0 ? mantissa : (LEADING + mantissa) << (exponent - 1)) << UNIT_BITS;
  }

  /** When the entry's item was shown, microseconds since the epoch. */
  long timeMicros() {
    return timeMicros;
  }

  /** The entry's item where it is registered; {@link ItemReference#NONE} otherwise. */
  long reference() {
    return reference;
  }

  /** Whether the bytes ended too early. */
  boolean broken() {
    return bits.overrun();
  }

  /**
   * Writes the newest rows that a decision may see, oldest first, and leaves the places of those
   * that there are not alone.
   *
   * @return whether the bytes were whole
   */
  boolean encode(
      FeatureLayout layout, long nowMicros, RegisteredItems items, float[] rows, int offset) {
    int width = layout.historyWidth();
    int at = offset + (layout.historyLength() - 1) * width;
    while (at >= offset && next(rows, at + 2)) {
      if (timeMicros >= nowMicros) {
        Arrays.fill(rows, at, at + width, 0f);
        continue;
      }
      rows[at] = 1f;
      rows[at + 1] = SubjectHistory.gap(nowMicros, timeMicros);
      if (reference != ItemReference.NONE) {
        items.copy(reference, rows, at + 2);
      }
      at -= width;
    }
    return !broken();
  }

  private static int tag(FeatureLayout layout) {
    return Integer.parseUnsignedInt(layout.digest().substring(0, 8), 16);
  }
}
