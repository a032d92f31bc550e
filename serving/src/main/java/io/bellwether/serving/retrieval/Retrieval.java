package io.bellwether.serving.retrieval;

import io.bellwether.ingestion.surface.Surface;
import io.bellwether.policy.scoring.CounterRandom;
import io.bellwether.policy.scoring.ScoringException;
import io.bellwether.serving.item.Catalogue;
import io.bellwether.serving.item.ItemTable;
import io.bellwether.serving.surface.DeclaredSurface;
import io.bellwether.serving.surface.Surfaces;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Proposes candidates among a surface's registered items. Where no more are left than are wanted,
 * all of them; otherwise the nearest neighbours of what the version looks for, or the most popular
 * ones where it has no index, and always a share of fresh items and one of random items, so that
 * what nobody has met yet can be met. What is still missing is drawn at random.
 *
 * <p>The same arguments and the same state of items, index and popularity give the same proposals.
 * Thread-safe.
 */
@Singleton
public final class Retrieval {

  /** Purpose tags of the counter generator. */
  private static final long RANDOM_TAG = 11;

  private static final long FRESH_TAG = 12;

  /** Draws for one pick before its neighbours are taken. */
  private static final int TRIES = 32;

  /** Popular items that are looked at for one request, most of which a filter may stop. */
  private static final int MOST_LOOKED_AT = 20_000;

  /** Conditions whose matches are kept; each takes an eighth of a byte per item. */
  private static final int MOST_KEPT = 64;

  private static final long REFRESH_MILLIS = 2000;

  private static final Logger LOG = Logger.getLogger(Retrieval.class);

  private final Surfaces surfaces;
  private final Catalogue catalogue;
  private final Neighbours nearest;
  private final Popularity popularity;
  private final Clock clock;
  private final Map<String, FreshItems> fresh = new HashMap<>();
  private final Map<Asked, Matches> kept =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Asked, Matches> eldest) {
          return size() > MOST_KEPT;
        }
      };
  private final Thread upkeep = new Thread(this::run, "fresh-items");

  /** What matches are kept for. */
  private record Asked(String surface, List<ItemFilter.Condition> conditions) {}

  Retrieval(
      Surfaces surfaces,
      Catalogue catalogue,
      Neighbours nearest,
      Popularity popularity,
      Clock clock) {
    this.surfaces = surfaces;
    this.catalogue = catalogue;
    this.nearest = nearest;
    this.popularity = popularity;
    this.clock = clock;
    surfaces.all().forEach(surface -> fresh.put(surface.name(), new FreshItems()));
    upkeep.setDaemon(true);
  }

  void start(@Observes StartupEvent event) {
    upkeep.start();
  }

  void stop(@Observes ShutdownEvent event) {
    upkeep.interrupt();
  }

  private void run() {
    try {
      while (true) {
        Thread.sleep(REFRESH_MILLIS);
        refresh();
      }
    } catch (InterruptedException e) {
      // The service stops.
      Thread.currentThread().interrupt();
    }
  }

  /** Looks which items are fresh now. */
  void refresh() {
    try {
      for (DeclaredSurface surface : surfaces.all()) {
        fresh(surface).refresh(catalogue.items(surface));
      }
    } catch (RuntimeException e) {
      // Of whatever kind: it would be the last time that anybody looks.
      LOG.error("fresh items could not be looked for", e);
    }
  }

  /** How many items are fresh now, at most as many as are kept. */
  int freshItems(DeclaredSurface surface) {
    return fresh(surface).newest().since(freshSince(surface));
  }

  /**
   * Proposes candidates.
   *
   * @param items the surface's, by whose rows the proposals are named
   * @param filter which of them may be proposed
   * @param context {@code [contextWidth]}
   * @param history {@code [historyLength * historyWidth]}
   * @param version that will score the candidates; null where none will
   * @param count how many are wanted at most; the surface may propose fewer
   * @param seed the decision's
   */
  public Proposed propose(
      DeclaredSurface surface,
      ItemTable items,
      ItemFilter filter,
      float[] context,
      float[] history,
      @Nullable String version,
      int count,
      long seed) {
    Surface.Retrieval settings = surface.surface().retrieval();
    Matches matches = matches(surface, items, filter.conditions());
    int[] barred = rows(items, filter, matches);
    int left = matches.count() - barred.length;
    int wanted = Math.min(count, settings.candidates());
    Picks picks = new Picks(Math.min(wanted, left), barred);
    if (left <= wanted) {
      for (int number = 0; number < matches.count(); number++) {
        picks.add(matches.row(number));
      }
      return new Proposed(picks.rows(), "all");
    }
    int freshOnes = (int) Math.round(settings.freshShare() * wanted);
    int randomOnes = (int) Math.round(settings.randomShare() * wanted);
    // Of few, two shares of a half are both rounded up.
    int main = Math.max(0, wanted - freshOnes - randomOnes);
    String source =
        pickNearest(surface, matches, context, history, version, main, barred.length, picks)
            .or(() -> pickPopular(surface, matches, main, picks))
            .orElse("random");
    pickFresh(surface, matches, seed, picks.size() + freshOnes, picks);
    pickRandom(matches, seed, picks);
    return new Proposed(picks.rows(), source);
  }

  private Matches matches(
      DeclaredSurface surface, ItemTable items, List<ItemFilter.Condition> conditions) {
    Asked asked = new Asked(surface.name(), conditions);
    Matches earlier;
    synchronized (kept) {
      earlier = kept.get(asked);
    }
    if (earlier != null && earlier.table().equals(items)) {
      return earlier;
    }
    Matches now = Matches.of(items, conditions, earlier);
    synchronized (kept) {
      kept.put(asked, now);
    }
    return now;
  }

  /** The excluded rows that would otherwise match. */
  private static int[] rows(ItemTable items, ItemFilter filter, Matches matches) {
    return filter.excluded().stream()
        .mapToInt(items::row)
        .filter(row -> row >= 0 && matches.has(row))
        .toArray();
  }

  private Optional<String> pickNearest(
      DeclaredSurface surface,
      Matches matches,
      float[] context,
      float[] history,
      @Nullable String version,
      int until,
      int spare,
      Picks picks) {
    nearest.asked(surface, context, history);
    NearestItems index =
        version == null || until == 0 ? null : nearest.hold(surface, version).orElse(null);
    if (index == null) {
      return Optional.empty();
    }
    try {
      index.pick(context, history, matches, until, spare, picks);
      return Optional.of("nearest:" + index.version());
    } catch (ScoringException e) {
      LOG.debugf(e, "%s finds no neighbours", index.version());
      return Optional.empty();
    } finally {
      index.release();
    }
  }

  /** Empty where nothing popular matches. */
  private Optional<String> pickPopular(
      DeclaredSurface surface, Matches matches, int until, Picks picks) {
    List<String> ranked = popularity.ranked(surface);
    int end = Math.min(ranked.size(), MOST_LOOKED_AT);
    for (int i = 0; i < end && picks.size() < until; i++) {
      int row = matches.table().row(ranked.get(i));
      if (row >= 0 && matches.has(row)) {
        picks.add(row);
      }
    }
    return picks.size() > 0 ? Optional.of("popularity") : Optional.empty();
  }

  private void pickFresh(
      DeclaredSurface surface, Matches matches, long seed, int until, Picks picks) {
    FreshItems.Newest newest = fresh(surface).newest();
    int count = newest.since(freshSince(surface));
    int tries = Math.min(count, TRIES * Math.max(0, until - picks.size()));
    for (int i = 0; i < tries && picks.size() < until; i++) {
      int drawn = (int) (CounterRandom.uniform(seed, FRESH_TAG, i, 0, 0) * count);
      int row = matches.table().row(newest.ids()[drawn]);
      if (row >= 0 && matches.has(row)) {
        picks.add(row);
      }
    }
  }

  private long freshSince(DeclaredSurface surface) {
    return clock.millis() - surface.surface().retrieval().freshFor().toMillis();
  }

  /** Fills up. */
  private static void pickRandom(Matches matches, long seed, Picks picks) {
    int count = matches.count();
    for (int pick = 0; !picks.full(); pick++) {
      int number = 0;
      boolean picked = false;
      for (int i = 0; i < TRIES && !picked; i++) {
        number = (int) (CounterRandom.uniform(seed, RANDOM_TAG, pick, i, 0) * count);
        picked = picks.add(matches.row(number));
      }
      while (!picked) {
        number = (number + 1) % count;
        picked = picks.add(matches.row(number));
      }
    }
  }

  private FreshItems fresh(DeclaredSurface surface) {
    FreshItems found = fresh.get(surface.name());
    if (found == null) {
      throw new IllegalArgumentException("not a declared surface: " + surface.name());
    }
    return found;
  }
}
