package io.bellwether.evaluation.support;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How often each item was shown, in bounded memory.
 *
 * <p>Exact while a log has at most {@value #MAX_EXACT_ITEMS} different items. Beyond that the
 * rarest are forgotten and every count is at most {@link #missed()} too low, which is never more
 * than {@code total / (MAX_EXACT_ITEMS / 2 + 1)}. Confined to one thread; parts are joined with
 * {@link #merge}.
 *
 * <p>Source: Misra and Gries, "Finding repeated elements", 1982; merging as in Agarwal et al.,
 * "Mergeable Summaries", 2012.
 */
public final class ItemCounts {
  public static final int MAX_EXACT_ITEMS = 8192;
  private static final int KEPT = MAX_EXACT_ITEMS / 2;

  private final Map<String, long[]> counts = new HashMap<>();
  private long missed;

  /** Counts an item as shown once. */
  public void add(String item) {
    add(item, 1);
    forgetRarest();
  }

  public void merge(ItemCounts other) {
    other.counts.forEach((item, count) -> add(item, count[0]));
    missed += other.missed;
    forgetRarest();
  }

  /** The most frequent items, at most {@code limit}; of two alike, the one with the lesser name. */
  public ActionIndex mostFrequent(int limit) {
    List<String> items =
        counts.entrySet().stream()
            .sorted(
                Comparator.comparingLong((Map.Entry<String, long[]> each) -> -each.getValue()[0])
                    .thenComparing(Map.Entry::getKey))
            .limit(limit)
            .map(Map.Entry::getKey)
            .toList();
    return ActionIndex.of(items);
  }

  /** By how much a count can be too low; 0 while all are exact. */
  public long missed() {
    return missed;
  }

  public void writeTo(DataOutput out) throws IOException {
    out.writeLong(missed);
    out.writeInt(counts.size());
    for (Map.Entry<String, long[]> each : counts.entrySet()) {
      out.writeUTF(each.getKey());
      out.writeLong(each.getValue()[0]);
    }
  }

  public static ItemCounts readFrom(DataInput in) throws IOException {
    ItemCounts read = new ItemCounts();
    read.missed = in.readLong();
    for (int left = in.readInt(); left > 0; left--) {
      read.add(in.readUTF(), in.readLong());
    }
    return read;
  }

  private void add(String item, long count) {
    long[] held = counts.get(item);
    if (held == null) {
      counts.put(item, new long[] {count});
    } else {
      held[0] += count;
    }
  }

  private void forgetRarest() {
    if (counts.size() <= MAX_EXACT_ITEMS) {
      return;
    }
    long[] ascending = counts.values().stream().mapToLong(count -> count[0]).sorted().toArray();
    long cut = ascending[ascending.length - 1 - KEPT];
    counts.values().forEach(count -> count[0] -= cut);
    counts.values().removeIf(count -> count[0] <= 0);
    missed += cut;
  }
}
