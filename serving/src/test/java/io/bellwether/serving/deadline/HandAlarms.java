package io.bellwether.serving.deadline;

import java.util.ArrayList;
import java.util.List;

/** A clock that is set by hand, and what waits for it. Confined to one thread. */
final class HandAlarms implements Alarms {

  private final List<Set> set = new ArrayList<>();
  private long now;

  private record Set(long nanos, Runnable ring) {}

  @Override
  public long nanos() {
    return now;
  }

  @Override
  public Alarm at(long nanos, Runnable ring) {
    Set one = new Set(nanos, ring);
    set.add(one);
    return () -> set.remove(one);
  }

  /** Lets it become this late; what is due by then rings in its order. */
  void becomes(long nanos) {
    while (true) {
      var due =
          set.stream()
              .filter(one -> one.nanos <= nanos)
              .min((a, b) -> Long.compare(a.nanos, b.nanos));
      if (due.isEmpty()) {
        break;
      }
      set.remove(due.get());
      now = Math.max(now, due.get().nanos);
      due.get().ring.run();
    }
    now = nanos;
  }

  /** How many alarms are set. */
  int waiting() {
    return set.size();
  }
}
