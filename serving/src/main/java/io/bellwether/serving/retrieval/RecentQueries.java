package io.bellwether.serving.retrieval;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** The latest requests of one surface for candidates, by which recall is measured. Thread-safe. */
final class RecentQueries {

  static final int KEPT = 64;

  private final AtomicReferenceArray<@Nullable Asked> ring = new AtomicReferenceArray<>(KEPT);
  private final AtomicLong asked = new AtomicLong();

  /** An encoded request; the arrays are its own and are not written to. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Asked(float[] context, float[] history) {}

  void add(float[] context, float[] history) {
    ring.set((int) (asked.getAndIncrement() % KEPT), new Asked(context, history));
  }

  /** What is kept, in no order. */
  List<Asked> all() {
    List<Asked> all = new ArrayList<>(KEPT);
    for (int i = 0; i < KEPT; i++) {
      Asked one = ring.get(i);
      if (one != null) {
        all.add(one);
      }
    }
    return all;
  }
}
