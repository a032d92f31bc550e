package io.bellwether.ingestion.feature;

/**
 * How a history names a registered item without its id: 32 bits of {@link String#hashCode}, by
 * which tables of items find their rows, and 8 bits of another hash, by which nearly all of the
 * items that share the first one are told apart. Two of a million registered items share all 40
 * bits with a chance of about a third; the history then shows the one for the other.
 */
public final class ItemReference {

  /** Refers to no item. */
  public static final long NONE = 0;

  /** Bits of a reference that say which item it is. */
  static final int BITS = 40;

  private static final long PRESENT = 1L << BITS;
  private static final int CHECK_BITS = 8;

  private ItemReference() {}

  /** The reference to an item; never {@link #NONE}. */
  public static long of(String itemId) {
    return PRESENT | ((itemId.hashCode() & 0xFFFF_FFFFL) << CHECK_BITS) | check(itemId);
  }

  /** The id's {@link String#hashCode}. */
  public static int hash(long reference) {
    return (int) (reference >>> CHECK_BITS);
  }

  /** Whether the reference is that of the item. */
  public static boolean is(long reference, String itemId) {
    return hash(reference) == itemId.hashCode() && (reference & 0xFF) == check(itemId);
  }

  /** What {@link #bits} gave. */
  static long ofBits(long bits) {
    return PRESENT | bits;
  }

  /** The {@link #BITS} low bits. */
  static long bits(long reference) {
    return reference & (PRESENT - 1);
  }

  /** FNV-1a over the characters, folded. */
  private static int check(String itemId) {
    int hash = 0x811C9DC5;
    for (int i = 0; i < itemId.length(); i++) {
      hash = (hash ^ itemId.charAt(i)) * 0x01000193;
    }
    hash ^= hash >>> 16;
    return (hash ^ (hash >>> 8)) & 0xFF;
  }
}
