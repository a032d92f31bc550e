package io.bellwether.serving.item;

import io.bellwether.ingestion.feature.ItemReference;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Which row holds which id: open addressing with linear probing, in shards that are shared with the
 * tables that were published and copied when they change. Holds {@code row + 1}, 0 where nothing
 * is. Confined to the thread that writes; what {@link #shards} gave is never written again.
 */
final class RowsById {

  private static final int SHARDS = 256;
  private static final int SMALLEST = 16;

  /** The id in a row. */
  interface Ids {
    String id(int row);
  }

  private int[][] shards = new int[SHARDS][];
  private final int[] filled = new int[SHARDS];

  /** Shards that no published table has. */
  private final BitSet own = new BitSet(SHARDS);

  /** The row of an id; -1 where there is none. */
  static int find(int[][] shards, Ids ids, String id) {
    int hash = hash(id);
    int @Nullable [] shard = shards[hash >>> 24];
    if (shard == null) {
      return -1;
    }
    int mask = shard.length - 1;
    for (int at = hash & mask; shard[at] != 0; at = (at + 1) & mask) {
      if (ids.id(shard[at] - 1).equals(id)) {
        return shard[at] - 1;
      }
    }
    return -1;
  }

  /** The row of the id that these characters are; -1 where there is none. */
  static int find(int[][] shards, Ids ids, char[] text, int from, int length) {
    int hash = mixed(hashCode(text, from, length));
    int @Nullable [] shard = shards[hash >>> 24];
    if (shard == null) {
      return -1;
    }
    int mask = shard.length - 1;
    for (int at = hash & mask; shard[at] != 0; at = (at + 1) & mask) {
      if (equal(ids.id(shard[at] - 1), text, from, length)) {
        return shard[at] - 1;
      }
    }
    return -1;
  }

  /** The row of the id that is referred to; -1 where there is none. Allocates nothing. */
  static int find(int[][] shards, Ids ids, long reference) {
    int hash = mixed(ItemReference.hash(reference));
    int @Nullable [] shard = shards[hash >>> 24];
    if (shard == null) {
      return -1;
    }
    int mask = shard.length - 1;
    for (int at = hash & mask; shard[at] != 0; at = (at + 1) & mask) {
      if (ItemReference.is(reference, ids.id(shard[at] - 1))) {
        return shard[at] - 1;
      }
    }
    return -1;
  }

  /** What {@link String#hashCode} gives for these characters. */
  private static int hashCode(char[] text, int from, int length) {
    int hash = 0;
    for (int i = from; i < from + length; i++) {
      hash = 31 * hash + text[i];
    }
    return hash;
  }

  private static boolean equal(String id, char[] text, int from, int length) {
    if (id.length() != length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (id.charAt(i) != text[from + i]) {
        return false;
      }
    }
    return true;
  }

  int find(Ids ids, String id) {
    return find(shards, ids, id);
  }

  /** Adds an id that is not there yet. */
  void add(Ids ids, String id, int row) {
    int number = hash(id) >>> 24;
    int[] shard = writable(number);
    if (2 * (filled[number] + 1) > shard.length) {
      shard = grown(shard, ids);
      shards[number] = shard;
    }
    insert(shard, hash(id), row);
    filled[number]++;
  }

  /** Gives an id that is there another row; {@code ids} still has it in the old one. */
  void move(Ids ids, String id, int row) {
    int[] shard = writable(hash(id) >>> 24);
    shard[slot(shard, ids, id)] = row + 1;
  }

  /** Takes an id that is there out. */
  void remove(Ids ids, String id) {
    int number = hash(id) >>> 24;
    int[] shard = writable(number);
    int mask = shard.length - 1;
    int hole = slot(shard, ids, id);
    // What was pushed past the hole moves back into it, so that no search ends too early.
    for (int at = (hole + 1) & mask; shard[at] != 0; at = (at + 1) & mask) {
      int home = hash(ids.id(shard[at] - 1)) & mask;
      if (((at - home) & mask) >= ((at - hole) & mask)) {
        shard[hole] = shard[at];
        hole = at;
      }
    }
    shard[hole] = 0;
    filled[number]--;
  }

  /** The shards as they are now, for a table. */
  int[][] shards() {
    own.clear();
    return shards.clone();
  }

  private int[] writable(int number) {
    if (shards[number] == null) {
      shards[number] = new int[SMALLEST];
    } else if (!own.get(number)) {
      shards[number] = shards[number].clone();
    }
    own.set(number);
    return shards[number];
  }

  private static int slot(int[] shard, Ids ids, String id) {
    int mask = shard.length - 1;
    int at = hash(id) & mask;
    while (!ids.id(shard[at] - 1).equals(id)) {
      at = (at + 1) & mask;
    }
    return at;
  }

  private static int[] grown(int[] shard, Ids ids) {
    int[] larger = new int[2 * shard.length];
    for (int entry : shard) {
      if (entry != 0) {
        insert(larger, hash(ids.id(entry - 1)), entry - 1);
      }
    }
    return larger;
  }

  private static void insert(int[] shard, int hash, int row) {
    int mask = shard.length - 1;
    int at = hash & mask;
    while (shard[at] != 0) {
      at = (at + 1) & mask;
    }
    shard[at] = row + 1;
  }

  /** Murmur3's finaliser: ids that count up differ in few bits. */
  private static int hash(String id) {
    return mixed(id.hashCode());
  }

  private static int mixed(int hash) {
    int h = hash;
    h = (h ^ (h >>> 16)) * 0x85EBCA6B;
    h = (h ^ (h >>> 13)) * 0xC2B2AE35;
    return h ^ (h >>> 16);
  }
}
