package io.bellwether.serving.policy;

import io.bellwether.ingestion.feature.FeatureLayout;
import io.bellwether.policy.schema.FeatureSchema;
import io.bellwether.policy.version.Alias;
import io.bellwether.policy.version.PolicyManifest;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import io.bellwether.serving.ServingConfig;
import io.bellwether.serving.experiment.Assignments;
import io.bellwether.serving.experiment.Experiments;
import io.bellwether.serving.surface.DeclaredSurface;
import io.bellwether.serving.surface.Surfaces;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * Keeps each surface's open versions at its champion and those that experiments have pinned. A
 * version is verified (bytes, feature layout, graph), opened and warmed up beside the others, and
 * then swapped in; where any of that fails the old champion stays, a pinned version is noted as
 * refused, and the load is tried again at the next look. Owns its thread.
 */
@Singleton
public final class PolicyLoader {

  private static final Logger LOG = Logger.getLogger(PolicyLoader.class);
  private static final long JOIN_MILLIS = 1000;
  private static final long EXPERIMENTS_MILLIS = 10;

  private final Surfaces surfaces;
  private final PolicyStore store;
  private final AliasFeed feed;
  private final Versions versions;
  private final Experiments experiments;
  private final Duration poll;
  private final MeterRegistry registry;
  private final MultiGauge info;
  private final Semaphore wakeUps = new Semaphore(0);
  private final Map<String, Refusal> refusals = new ConcurrentHashMap<>();
  private final Map<String, Refusal> pinnedRefusals = new HashMap<>();
  private final Thread thread = new Thread(this::run, "policy-loader");
  private volatile boolean settled;
  private volatile boolean closed;

  /** A version that could not be loaded. */
  record Refusal(String version, String reason) {}

  PolicyLoader(
      Surfaces surfaces,
      PolicyStore store,
      AliasFeed feed,
      Versions versions,
      Experiments experiments,
      ServingConfig config,
      MeterRegistry registry) {
    this.surfaces = surfaces;
    this.store = store;
    this.feed = feed;
    this.versions = versions;
    this.experiments = experiments;
    this.poll = config.policyPoll();
    this.registry = registry;
    info =
        MultiGauge.builder("bellwether.policy.info")
            .description("1 for each version that answers now")
            .register(registry);
    thread.setDaemon(true);
  }

  void start(@Observes StartupEvent event) {
    thread.start();
  }

  void stop(@Observes ShutdownEvent event) throws InterruptedException {
    closed = true;
    wakeUps.release();
    thread.join(JOIN_MILLIS);
  }

  /** Whether every surface's champion was looked for once. */
  public boolean settled() {
    return settled;
  }

  /** Why a surface's champion was refused; empty where it is not. */
  public Optional<String> refusal(DeclaredSurface surface) {
    return Optional.ofNullable(refusals.get(surface.name()))
        .map(refusal -> refusal.version() + ": " + refusal.reason());
  }

  /** Looks for new versions now. */
  void wake() {
    wakeUps.release();
  }

  private void run() {
    experiments.onChange(this::wake);
    awaitExperiments();
    lookAtAll();
    settled = true;
    feed.follow(this::wake);
    while (!closed) {
      await();
      if (!closed) {
        lookAtAll();
      }
    }
  }

  /**
   * What experiments have pinned is open before the first decision, so that a restart moves nobody
   * to another variant; where their logs cannot be read, it is decided without them.
   */
  private void awaitExperiments() {
    long from = System.nanoTime();
    try {
      while (experiments.assignments().stale() && System.nanoTime() - from < poll.toNanos()) {
        Thread.sleep(EXPERIMENTS_MILLIS);
      }
    } catch (InterruptedException e) {
      closed = true;
    }
  }

  private void await() {
    try {
      if (wakeUps.tryAcquire(poll.toMillis(), TimeUnit.MILLISECONDS)) {
        wakeUps.drainPermits();
      }
    } catch (InterruptedException e) {
      closed = true;
    }
  }

  private void lookAtAll() {
    boolean changed = false;
    Assignments assignments = experiments.assignments();
    for (DeclaredSurface surface : surfaces.all()) {
      changed |= followChampion(surface);
      Set<String> wanted = new HashSet<>(assignments.versionsInUse(surface));
      wanted.removeIf(Versions::needsNoGraph);
      wanted.forEach(version -> loadPinned(surface, version));
      versions.retain(surface, wanted);
    }
    if (changed) {
      showVersions();
    }
  }

  /** Brings one surface up to its champion; whether its version changed. */
  private boolean followChampion(DeclaredSurface surface) {
    String wanted = "its alias";
    try {
      Optional<VersionId> champion = store.alias(surface.name(), Alias.CHAMPION);
      Optional<String> live = versions.champion(surface);
      if (champion.map(VersionId::value).equals(live)) {
        refusals.remove(surface.name());
        return false;
      }
      if (champion.isEmpty()) {
        versions.crown(surface, null);
        LOG.infof("%s has no champion any more and explores uniformly", surface.name());
        return true;
      }
      wanted = champion.get().value();
      load(surface, wanted);
      versions.crown(surface, wanted);
      LOG.infof("%s is answered by %s, before by %s", surface.name(), wanted, live.orElse("none"));
      refusals.remove(surface.name());
      return true;
    } catch (RuntimeException e) {
      refuse(surface, wanted, e);
      return false;
    }
  }

  private void loadPinned(DeclaredSurface surface, String version) {
    String key = surface.name() + "/" + version;
    try {
      load(surface, version);
      pinnedRefusals.remove(key);
    } catch (RuntimeException e) {
      versions.refuse(surface, version);
      count(surface);
      Refusal refusal = new Refusal(version, String.valueOf(e.getMessage()));
      if (!refusal.equals(pinnedRefusals.put(key, refusal))) {
        LOG.errorf(
            "%s cannot be loaded for an experiment on %s, the champion answers in its place: %s",
            version, surface.name(), refusal.reason());
      }
    }
  }

  private void load(DeclaredSurface surface, String version) {
    if (versions.loaded(surface).contains(version)) {
      return;
    }
    VersionId id = new VersionId(version);
    PolicyManifest manifest = store.manifest(id);
    check(surface.layout(), manifest.features());
    versions.add(surface, version, store.open(id), manifest.exploration());
  }

  private static void check(FeatureLayout layout, FeatureSchema features) {
    boolean fits =
        layout.digest().equals(features.digest())
            && layout.contextWidth() == features.contextWidth()
            && layout.historyLength() == features.historyLength()
            && layout.historyWidth() == features.historyWidth()
            && layout.itemWidth() == features.itemWidth();
    if (!fits) {
      throw new IllegalArgumentException(
          "it was trained for the feature layout %s, the surface declares %s"
              .formatted(features.digest(), layout.digest()));
    }
  }

  /** Counts every attempt, and says it once. */
  private void refuse(DeclaredSurface surface, String version, RuntimeException cause) {
    count(surface);
    Refusal refusal = new Refusal(version, String.valueOf(cause.getMessage()));
    if (!refusal.equals(refusals.put(surface.name(), refusal))) {
      LOG.errorf(
          "%s cannot be answered by %s, %s stays: %s",
          surface.name(), version, versions.champion(surface).orElse("uniform"), refusal.reason());
    }
  }

  private void count(DeclaredSurface surface) {
    Counter.builder("bellwether.policy.load.failures")
        .description("Attempts to load a version that failed")
        .tag("surface", surface.name())
        .register(registry)
        .increment();
  }

  private void showVersions() {
    info.register(
        surfaces.all().stream()
            .flatMap(
                surface ->
                    versions.champion(surface).stream()
                        .map(
                            version ->
                                MultiGauge.Row.of(
                                    Tags.of(
                                        "name",
                                        surface.name(),
                                        "version",
                                        version,
                                        "digest",
                                        surface.layout().digest()),
                                    1)))
            .toList(),
        true);
  }
}
