package io.bellwether.serving.retrieval;

import io.bellwether.ingestion.surface.Surface;
import io.bellwether.serving.surface.DeclaredSurface;
import io.bellwether.serving.surface.Surfaces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What people liked lately: per surface and item, the sum of one signal's values in which an
 * outcome counts half after each half-life. Outcomes name no surface, so an item's outcomes count
 * on every surface that counts their signal. One thread observes, any number read.
 */
@Singleton
public final class Popularity {

  /** Items that are counted per surface; beyond it the least popular half is forgotten. */
  private static final int MOST_COUNTED = 1 << 17;

  private final Clock clock;
  private final Map<String, Counts> bySurface = new HashMap<>();

  Popularity(Surfaces surfaces, Clock clock) {
    this.clock = clock;
    surfaces.all().forEach(s -> bySurface.put(s.name(), new Counts(s.surface().retrieval())));
  }

  /** A sum as it was at a time. */
  private record Count(double sum, long atMillis) {

    double at(long millis, double halfLifeMillis) {
      return sum * Math.pow(2, (atMillis - millis) / halfLifeMillis);
    }

    /** With one more value, of any time. */
    Count plus(double value, long valueAtMillis, double halfLifeMillis) {
      Count other = new Count(value, valueAtMillis);
      long later = Math.max(atMillis, valueAtMillis);
      return new Count(at(later, halfLifeMillis) + other.at(later, halfLifeMillis), later);
    }
  }

  /** The counts of one surface. */
  private static final class Counts {

    private final String signal;
    private final double halfLifeMillis;
    private final Map<String, Count> byItem = new ConcurrentHashMap<>();
    private volatile boolean changed;
    private volatile List<String> ranked = List.of();

    Counts(Surface.Retrieval retrieval) {
      signal = retrieval.popularSignal();
      halfLifeMillis = Math.max(1, retrieval.halfLife().toMillis());
    }
  }

  /** The popularity of items at one moment. Thread-safe. */
  public static final class Scores {

    private final Counts counts;
    private final long nowMillis;

    private Scores(Counts counts, long nowMillis) {
      this.counts = counts;
      this.nowMillis = nowMillis;
    }

    /** The decayed sum of an item's outcomes, in the signal's unit; 0 where there were none. */
    public double of(String itemId) {
      Count count = counts.byItem.get(itemId);
      return count == null ? 0 : count.at(nowMillis, counts.halfLifeMillis);
    }

    /** Whether anything was counted for the surface at all. */
    public boolean any() {
      return !counts.byItem.isEmpty();
    }
  }

  /** How popular the surface's items are now. */
  public Scores scores(DeclaredSurface surface) {
    return new Scores(of(surface), clock.millis());
  }

  /** The items with a positive sum, the most popular first, as of the last {@link #rank}. */
  List<String> ranked(DeclaredSurface surface) {
    return of(surface).ranked;
  }

  /** How far back outcomes matter: after ten half-lives one counts a thousandth. */
  Duration memory() {
    double longest = bySurface.values().stream().mapToDouble(c -> c.halfLifeMillis).max().orElse(0);
    return Duration.ofMillis((long) (10 * longest));
  }

  /** Takes an outcome of an item. */
  void observe(String signal, String itemId, double value, long atMillis) {
    for (Counts counts : bySurface.values()) {
      if (counts.signal.equals(signal)) {
        counts.byItem.merge(
            itemId,
            new Count(value, atMillis),
            (known, one) -> known.plus(value, atMillis, counts.halfLifeMillis));
        counts.changed = true;
      }
    }
  }

  /** Forgets every outcome, to observe them again. */
  void clear() {
    bySurface.values().forEach(counts -> counts.byItem.clear());
  }

  /** Ranks anew what has changed, and forgets what has become too much. */
  void rank() {
    long now = clock.millis();
    for (Counts counts : bySurface.values()) {
      if (!counts.changed) {
        continue;
      }
      counts.changed = false;
      List<Map.Entry<String, Double>> sums =
          counts.byItem.entrySet().stream()
              .map(each -> Map.entry(each.getKey(), each.getValue().at(now, counts.halfLifeMillis)))
              .sorted(
                  Map.Entry.<String, Double>comparingByValue(Comparator.reverseOrder())
                      .thenComparing(Map.Entry.comparingByKey()))
              .toList();
      if (sums.size() > MOST_COUNTED) {
        sums.subList(MOST_COUNTED / 2, sums.size()).forEach(e -> counts.byItem.remove(e.getKey()));
        sums = sums.subList(0, MOST_COUNTED / 2);
      }
      counts.ranked = sums.stream().filter(e -> e.getValue() > 0).map(Map.Entry::getKey).toList();
    }
  }

  private Counts of(DeclaredSurface surface) {
    Counts counts = bySurface.get(surface.name());
    if (counts == null) {
      throw new IllegalArgumentException("not a declared surface: " + surface.name());
    }
    return counts;
  }
}
