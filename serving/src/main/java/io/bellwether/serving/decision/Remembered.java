package io.bellwether.serving.decision;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The latest decisions that Redis could not keep for retries, by their ids: a retry that comes to
 * this replica gets the answer that may be in the log already, and not another one. Bounded; the
 * oldest go first. Thread-safe.
 */
final class Remembered {

  private final long maxBytes;
  private final Map<String, byte[]> kept = new LinkedHashMap<>();
  private long bytes;

  /**
   * @param maxBytes of all decisions together
   */
  Remembered(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** Keeps a decision, or gives the one of this id that is there. The array is not copied. */
  synchronized Optional<byte[]> put(String decisionId, byte[] decision) {
    byte[] first = kept.putIfAbsent(decisionId, decision);
    if (first != null) {
      return Optional.of(first);
    }
    bytes += decision.length;
    Iterator<byte[]> oldest = kept.values().iterator();
    while (bytes > maxBytes && oldest.hasNext()) {
      bytes -= oldest.next().length;
      oldest.remove();
    }
    return Optional.empty();
  }

  /** Lets go of some. */
  synchronized void removeIf(Predicate<byte[]> gone) {
    for (Iterator<byte[]> each = kept.values().iterator(); each.hasNext(); ) {
      byte[] decision = each.next();
      if (gone.test(decision)) {
        bytes -= decision.length;
        each.remove();
      }
    }
  }

  /** The decision of this id, if it is still there. */
  synchronized Optional<byte[]> get(String decisionId) {
    return Optional.ofNullable(kept.get(decisionId));
  }
}
