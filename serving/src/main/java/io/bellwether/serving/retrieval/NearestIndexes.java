package io.bellwether.serving.retrieval;

import io.bellwether.policy.scoring.RetrievalTowers;
import io.bellwether.policy.version.PolicyManifest;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import io.bellwether.serving.experiment.Experiments;
import io.bellwether.serving.item.Catalogue;
import io.bellwether.serving.item.ItemFeed;
import io.bellwether.serving.item.ItemTable;
import io.bellwether.serving.policy.Versions;
import io.bellwether.serving.surface.DeclaredSurface;
import io.bellwether.serving.surface.Surfaces;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The indexes of nearest neighbours, one per surface and version with towers: the champion's and
 * those that experiments pinned, once they are loaded, at most {@value #MOST} a surface. Built on a
 * thread of its own while the old ones serve, anew when items have changed, and never for more than
 * about a tenth of one core's time. Owns the thread and the indexes. Thread-safe.
 */
@Singleton
final class NearestIndexes implements Neighbours {

  private static final Logger LOG = Logger.getLogger(NearestIndexes.class);

  private static final int MOST = 3;
  private static final long LOOK_MILLIS = 1000;
  private static final long JOIN_MILLIS = 2000;
  private static final Duration LEAST_PAUSE = Duration.ofSeconds(5);
  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMinutes(1);

  /** A build may take one part of so many of the time. */
  private static final double PARTS = 10;

  /** Neighbours that recall is measured by. */
  private static final int RECALL_OF = 100;

  private final Surfaces surfaces;
  private final Catalogue catalogue;
  private final ItemFeed feed;
  private final Versions versions;
  private final Experiments experiments;
  private final PolicyStore store;
  private final Clock clock;
  private final Map<String, Shelf> shelves = new HashMap<>();
  private final MultiGauge recall;
  private final MultiGauge items;
  private final MultiGauge seconds;
  private final Thread thread = new Thread(this::run, "nearest-indexes");
  private volatile boolean closed;

  /** One surface's. */
  private static final class Shelf {
    private final Map<String, NearestItems> byVersion = new ConcurrentHashMap<>();
    private final RecentQueries queries = new RecentQueries();

    /** Towers by version, those of a version without any included; touched by one thread. */
    private final Map<String, Boolean> hasTowers = new HashMap<>();

    private final Map<String, Instant> failedAt = new HashMap<>();
    private volatile String state = "";
  }

  NearestIndexes(
      Surfaces surfaces,
      Catalogue catalogue,
      ItemFeed feed,
      Versions versions,
      Experiments experiments,
      PolicyStore store,
      Clock clock,
      MeterRegistry registry) {
    this.surfaces = surfaces;
    this.catalogue = catalogue;
    this.feed = feed;
    this.versions = versions;
    this.experiments = experiments;
    this.store = store;
    this.clock = clock;
    surfaces.all().forEach(surface -> shelves.put(surface.name(), new Shelf()));
    recall =
        MultiGauge.builder("bellwether.retrieval.recall")
            .description("Share of the exact nearest neighbours that the index finds")
            .register(registry);
    items =
        MultiGauge.builder("bellwether.retrieval.index.items")
            .description("Items that the index knows")
            .register(registry);
    seconds =
        MultiGauge.builder("bellwether.retrieval.index.build.seconds")
            .description("How long the index took to build")
            .register(registry);
    thread.setDaemon(true);
  }

  void start(@Observes StartupEvent event) {
    thread.start();
  }

  void stop(@Observes ShutdownEvent event) throws InterruptedException {
    closed = true;
    thread.interrupt();
    thread.join(JOIN_MILLIS);
  }

  @Override
  public Optional<NearestItems> hold(DeclaredSurface surface, String version) {
    Map<String, NearestItems> built = shelf(surface).byVersion;
    if (built.isEmpty()) {
      return Optional.empty();
    }
    NearestItems found = built.get(version);
    if (found == null) {
      found = versions.champion(surface).map(built::get).orElse(null);
    }
    if (found == null) {
      found = built.values().stream().findFirst().orElse(null);
    }
    return found != null && found.hold() ? Optional.of(found) : Optional.empty();
  }

  @Override
  public void asked(DeclaredSurface surface, float[] context, float[] history) {
    if (surface.surface().retrieval().embedding() > 0) {
      shelf(surface).queries.add(context, history);
    }
  }

  /** What is built for a surface. */
  List<NearestItems> built(DeclaredSurface surface) {
    return List.copyOf(shelf(surface).byVersion.values());
  }

  /** What is going on for a surface, in a few words. */
  String state(DeclaredSurface surface) {
    return shelf(surface).state;
  }

  private void run() {
    while (!closed) {
      try {
        Thread.sleep(LOOK_MILLIS);
        if (feed.caughtUp()) {
          surfaces.all().forEach(this::look);
        }
      } catch (InterruptedException e) {
        return;
      } catch (RuntimeException e) {
        // Of whatever kind: without this thread nothing would be indexed any more.
        LOG.error("an index of neighbours could not be looked after", e);
      }
    }
  }

  /** Brings one surface's indexes up to its versions and items. */
  void look(DeclaredSurface surface) {
    Shelf shelf = shelf(surface);
    Set<String> wanted = wanted(surface, shelf);
    boolean changed = false;
    for (String version : wanted) {
      changed |= closed || bring(surface, shelf, version);
    }
    // The old champion's serves until the new one's is there.
    boolean complete = shelf.byVersion.keySet().containsAll(wanted);
    for (String version : Set.copyOf(shelf.byVersion.keySet())) {
      if (complete && !wanted.contains(version)) {
        put(shelf, version, null);
        changed = true;
      }
    }
    if (changed) {
      show();
    }
  }

  private Set<String> wanted(DeclaredSurface surface, Shelf shelf) {
    Set<String> wanted = new LinkedHashSet<>();
    if (surface.surface().retrieval().embedding() == 0) {
      return wanted;
    }
    List<String> candidates = new ArrayList<>(versions.champion(surface).stream().toList());
    candidates.addAll(experiments.assignments().versionsInUse(surface));
    // Towers are code as well: those of a version that nobody vouches for are not run either.
    candidates.removeIf(version -> !versions.isLoaded(surface, version));
    shelf.hasTowers.keySet().retainAll(candidates);
    for (String version : candidates) {
      if (wanted.size() < MOST && shelf.hasTowers.computeIfAbsent(version, this::hasTowers)) {
        wanted.add(version);
      }
    }
    return wanted;
  }

  /** Also false for words that name no version. */
  private boolean hasTowers(String version) {
    try {
      PolicyManifest manifest = store.manifest(new VersionId(version));
      return manifest.files().stream().anyMatch(f -> f.path().equals(RetrievalTowers.FILE));
    } catch (RuntimeException e) {
      LOG.debugf(e, "%s has no towers", version);
      return false;
    }
  }

  /** Whether an index was built. */
  private boolean bring(DeclaredSurface surface, Shelf shelf, String version) {
    ItemTable table = catalogue.items(surface);
    NearestItems old = shelf.byVersion.get(version);
    Instant now = clock.instant();
    if (!due(surface, table, old, now) || now.isBefore(retryAt(shelf, version))) {
      return old != null && measureAgain(shelf, old);
    }
    shelf.state = "building " + version + " over " + table.size() + " items";
    RetrievalTowers towers = null;
    NearestItems built = null;
    try {
      VersionId id = new VersionId(version);
      towers =
          RetrievalTowers.open(store.file(id, RetrievalTowers.FILE), store.manifest(id).features());
      built = NearestItems.of(version, table, towers, now, () -> closed);
      if (built != null) {
        built.measure(shelf.queries.all(), RECALL_OF);
        put(shelf, version, built);
        shelf.failedAt.remove(version);
        shelf.state = "";
      }
    } catch (RuntimeException e) {
      shelf.failedAt.put(version, now);
      shelf.state = version + " could not be indexed: " + e.getMessage();
      LOG.errorf(e, "%s has no index of neighbours over %s", version, surface.name());
    } finally {
      if (towers != null && built == null) {
        towers.close();
      }
    }
    return built != null;
  }

  private static Instant retryAt(Shelf shelf, String version) {
    Instant failed = shelf.failedAt.get(version);
    return failed == null ? Instant.MIN : failed.plus(PAUSE_AFTER_FAILURE);
  }

  /** A surface whose items are all proposed anyway needs no index. */
  private static boolean due(
      DeclaredSurface surface, ItemTable table, @Nullable NearestItems old, Instant now) {
    if (table.size() <= surface.surface().retrieval().candidates()) {
      return false;
    }
    if (old == null) {
      return true;
    }
    Duration pause = Duration.ofMillis((long) (1000 * PARTS * old.buildSeconds()));
    Instant next = old.builtAt().plus(pause.compareTo(LEAST_PAUSE) > 0 ? pause : LEAST_PAUSE);
    return old.table().revision() != table.revision() && now.isAfter(next);
  }

  /** Whether items no longer have to stand for requests. */
  private static boolean measureAgain(Shelf shelf, NearestItems index) {
    NearestItems.Recall last = index.recall();
    List<RecentQueries.Asked> asked = shelf.queries.all();
    if (last == null || last.ofRequests() || asked.size() < RecentQueries.KEPT) {
      return false;
    }
    index.measure(asked, RECALL_OF);
    return true;
  }

  private static void put(Shelf shelf, String version, @Nullable NearestItems index) {
    NearestItems old =
        index == null ? shelf.byVersion.remove(version) : shelf.byVersion.put(version, index);
    if (old != null) {
      old.release();
    }
  }

  private void show() {
    List<MultiGauge.Row<?>> recalls = new ArrayList<>();
    List<MultiGauge.Row<?>> counts = new ArrayList<>();
    List<MultiGauge.Row<?>> times = new ArrayList<>();
    for (DeclaredSurface surface : surfaces.all()) {
      for (NearestItems index : built(surface)) {
        Tags tags = Tags.of("surface", surface.name(), "version", index.version());
        NearestItems.Recall measured = index.recall();
        if (measured != null) {
          recalls.add(MultiGauge.Row.of(tags, measured.share()));
        }
        counts.add(MultiGauge.Row.of(tags, index.table().size()));
        times.add(MultiGauge.Row.of(tags, index.buildSeconds()));
      }
    }
    recall.register(recalls, true);
    items.register(counts, true);
    seconds.register(times, true);
  }

  private Shelf shelf(DeclaredSurface surface) {
    Shelf found = shelves.get(surface.name());
    if (found == null) {
      throw new IllegalArgumentException("not a declared surface: " + surface.name());
    }
    return found;
  }
}
