package io.bellwether.serving.retrieval;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** Some of a surface's latest requests for candidates, by which recall is measured. Thread-safe. */
final class RecentQueries {

  static final int KEPT = 64;

  private final AtomicReferenceArray<@Nullable Asked> ring = new AtomicReferenceArray<>(KEPT);
  private final AtomicLong asked = new AtomicLong();

  /** Of a full ring's requests, one in so many takes the place of the oldest. */
  private static final int ONE_IN = 16;

  /** An encoded request. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Asked(float[] context, float[] history) {}

  /** Notes a request, a copy. */
  void add(float[] context, float[] history) {
    long number = asked.getAndIncrement();
    if (number < KEPT) {
      ring.set((int) number, new Asked(context.clone(), history.clone()));
    } else if (number % ONE_IN == 0) {
      ring.set((int) (number / ONE_IN % KEPT), new Asked(context.clone(), history.clone()));
    }
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
