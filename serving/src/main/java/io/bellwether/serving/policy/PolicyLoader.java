package io.bellwether.serving.policy;

import io.bellwether.policy.object.CorruptObjectException;
import io.bellwether.policy.signature.TrustedKeys;
import io.bellwether.policy.version.Alias;
import io.bellwether.policy.version.AliasMove;
import io.bellwether.policy.version.BrokenLogException;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import io.bellwether.serving.ServingConfig;
import io.bellwether.serving.experiment.Assignments;
import io.bellwether.serving.experiment.Experiments;
import io.bellwether.serving.surface.DeclaredSurface;
import io.bellwether.serving.surface.Surfaces;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * Keeps each surface's open versions at its champion, or the one that is pinned in its place, and
 * at those that experiments have pinned. A version is opened by {@link VersionOpener} beside the
 * others and then swapped in; where it is refused the last good champion stays, also over a
 * restart, a pinned version is noted as refused, and the load is tried again, after pauses that
 * grow. Owns its thread.
 */
@Singleton
public final class PolicyLoader {

  private static final Logger LOG = Logger.getLogger(PolicyLoader.class);

  /** A request that was assigned to a version asks for it within this time. */
  private static final long UNDER_WAY_NANOS = TimeUnit.SECONDS.toNanos(3);

  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);
  private static final long JOIN_MILLIS = 1000;
  private static final long EXPERIMENTS_MILLIS = 10;

  /** How many champions of the past are tried where the present one is refused at the start. */
  private static final int EARLIER_CHAMPIONS = 3;

  private final Surfaces surfaces;
  private final PolicyStore store;
  private final AliasFeed feed;
  private final Versions versions;
  private final Experiments experiments;
  private final Duration poll;
  private final Retries retries;
  private final VersionOpener opener;
  private final PolicyMeters meters;
  private final Semaphore wakeUps = new Semaphore(0);
  private final Map<String, Refusal> refusals = new ConcurrentHashMap<>();
  private final Map<String, Refusal> pinnedRefusals = new HashMap<>();

  /** By surface, the keys by which the open champion was last vouched for. */
  private final Map<String, TrustedKeys> vouchedWith = new HashMap<>();

  /** By surface, when an experiment last wanted a version. */
  private final Map<String, Map<String, Long>> lastWanted = new HashMap<>();

  private final Thread thread = new Thread(this::run, "policy-loader");
  private volatile boolean settled;
  private volatile boolean closed;

  /**
   * A version that could not be loaded.
   *
   * @param tampered whether it was altered or nobody vouches for it: somebody must look into that
   */
  record Refusal(String version, String reason, boolean tampered) {

    static Refusal of(String version, RuntimeException cause) {
      return new Refusal(
          version,
          String.valueOf(cause.getMessage()),
          cause instanceof BrokenLogException
              || cause instanceof CorruptObjectException
              || cause instanceof UntrustedVersionException);
    }
  }

  PolicyLoader(
      Surfaces surfaces,
      PolicyStore store,
      AliasFeed feed,
      Versions versions,
      Experiments experiments,
      VersionOpener opener,
      PolicyMeters meters,
      ServingConfig config) {
    this.surfaces = surfaces;
    this.store = store;
    this.feed = feed;
    this.versions = versions;
    this.experiments = experiments;
    this.poll = config.policyPoll();
    this.retries = new Retries(poll.multipliedBy(2), LONGEST_PAUSE, System::nanoTime);
    this.opener = opener;
    this.meters = meters;
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

  /** What was tampered with on a surface, or is vouched for by nobody; empty where nothing is. */
  public Optional<String> tampering(DeclaredSurface surface) {
    return Optional.ofNullable(refusals.get(surface.name()))
        .filter(Refusal::tampered)
        .map(refusal -> refusal.version() + ": " + refusal.reason());
  }

  /** What is known of the version that answers on a surface; empty while there is none. */
  public Optional<OpenVersion> open(DeclaredSurface surface) {
    return versions
        .champion(surface)
        .flatMap(version -> meters.facts(surface, version))
        .map(OpenVersion::of);
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

  /** Brings all surfaces up to date, once; for the loader's thread alone. */
  void lookAtAll() {
    Assignments assignments = experiments.assignments();
    for (DeclaredSurface surface : surfaces.all()) {
      try {
        lookAt(surface, assignments);
      } catch (RuntimeException | OutOfMemoryError e) {
        // The thread must live, or no surface would ever see a new version again.
        LOG.errorf(e, "%s is not up to date", surface.name());
      }
    }
    meters.show();
  }

  private void lookAt(DeclaredSurface surface, Assignments assignments) {
    followChampion(surface);
    Set<String> wanted = new HashSet<>(assignments.versionsInUse(surface));
    wanted.removeIf(Versions::needsNoGraph);
    wanted.forEach(version -> loadPinned(surface, version));
    versions.retain(surface, wantedLately(surface, wanted));
  }

  /** With those that requests under way were assigned to before an experiment let go of them. */
  private Set<String> wantedLately(DeclaredSurface surface, Set<String> wanted) {
    long now = System.nanoTime();
    Map<String, Long> last = lastWanted.computeIfAbsent(surface.name(), name -> new HashMap<>());
    wanted.forEach(version -> last.put(version, now));
    last.values().removeIf(nanos -> now - nanos > UNDER_WAY_NANOS);
    return Set.copyOf(last.keySet());
  }

  /** Brings one surface up to its champion. */
  private void followChampion(DeclaredSurface surface) {
    String wanted = "its alias";
    try {
      Optional<VersionId> champion = store.serving(surface.name());
      Optional<String> live = versions.champion(surface);
      if (champion.map(VersionId::value).equals(live)) {
        wanted = live.orElse(wanted);
        champion.ifPresent(version -> vouchAgain(surface, version));
        accept(surface);
        return;
      }
      if (champion.isEmpty()) {
        versions.crown(surface, null);
        accept(surface);
        LOG.infof("%s has no champion any more and explores uniformly", surface.name());
        return;
      }
      wanted = champion.get().value();
      TrustedKeys keys = opener.keys();
      if (versions.loaded(surface).contains(wanted)) {
        opener.vouch(champion.get());
      }
      load(surface, wanted);
      vouchedWith.put(surface.name(), keys);
      versions.crown(surface, wanted);
      LOG.infof("%s is answered by %s, before by %s", surface.name(), wanted, live.orElse("none"));
      accept(surface);
    } catch (RuntimeException e) {
      refuse(surface, wanted, e);
      if (versions.champion(surface).isEmpty()) {
        crownEarlier(surface);
      }
    }
  }

  /** A key that was revoked since the version was opened no longer vouches for it. */
  private void vouchAgain(DeclaredSurface surface, VersionId version) {
    TrustedKeys keys = opener.keys();
    if (keys != vouchedWith.get(surface.name())) {
      opener.vouch(version);
      vouchedWith.put(surface.name(), keys);
    }
  }

  /** Nothing is refused on a surface any more. */
  private void accept(DeclaredSurface surface) {
    refusals.remove(surface.name());
    meters.tampered(surface, false);
  }

  /** After a restart the last good champion is the latest of those before that still loads. */
  private void crownEarlier(DeclaredSurface surface) {
    for (String version : earlierChampions(surface)) {
      try {
        load(surface, version);
        versions.crown(surface, version);
        LOG.warnf("%s is answered by %s, the last good champion", surface.name(), version);
        return;
      } catch (RuntimeException e) {
        LOG.warnf("%s cannot be answered by %s either: %s", surface.name(), version, e);
      }
    }
  }

  /**
   * The version that answered when the release log was last sound, then the latest champions before
   * the present one, latest first; none where that is unreadable.
   */
  private List<String> earlierChampions(DeclaredSurface surface) {
    Set<String> earlier = new LinkedHashSet<>();
    try {
      store
          .releases()
          .lastGood(surface.name())
          .filter(version -> !isRefused(surface, version))
          .ifPresent(version -> earlier.add(version.value()));
      List<AliasMove> moves = store.history(surface.name(), Alias.CHAMPION);
      for (int i = moves.size() - 1; i >= 0; i--) {
        VersionId from = moves.get(i).from();
        if (from != null) {
          earlier.add(from.value());
        }
      }
    } catch (RuntimeException e) {
      LOG.warnf("The champions of %s before are not known: %s", surface.name(), e);
    }
    return earlier.stream().limit(EARLIER_CHAMPIONS).toList();
  }

  private boolean isRefused(DeclaredSurface surface, VersionId version) {
    Refusal refusal = refusals.get(surface.name());
    return refusal != null && refusal.version().equals(version.value());
  }

  private void loadPinned(DeclaredSurface surface, String version) {
    String key = surface.name() + "/" + version;
    try {
      load(surface, version);
      pinnedRefusals.remove(key);
    } catch (RuntimeException e) {
      versions.refuse(surface, version);
      meters.refused(surface);
      Refusal refusal = Refusal.of(version, e);
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
    String what = surface.name() + "/" + version;
    retries
        .tooEarly(what)
        .ifPresent(
            why -> {
              throw why;
            });
    VersionOpener.Opened opened;
    try {
      opened = opener.open(surface, new VersionId(version));
    } catch (RuntimeException e) {
      retries.failed(what, e);
      throw e;
    }
    retries.succeeded(what);
    versions.add(surface, version, opened.scorer(), opened.exploration());
    meters.opened(surface, version, opened.facts());
    tell(surface, version, opened.facts());
  }

  /** What an operator should know of a version that serves all the same. */
  private static void tell(DeclaredSurface surface, String version, VersionOpener.Facts facts) {
    if (facts.strayed()) {
      LOG.errorf("%s of %s: %s", version, surface.name(), facts.deviceNote());
    }
    if (!facts.formNote().isEmpty()) {
      LOG.warnf("%s of %s serves its full graph: %s", version, surface.name(), facts.formNote());
    }
  }

  /** Counts every attempt, and says it once. */
  private void refuse(DeclaredSurface surface, String version, RuntimeException cause) {
    meters.refused(surface);
    Refusal refusal = Refusal.of(version, cause);
    meters.tampered(surface, refusal.tampered());
    if (!refusal.equals(refusals.put(surface.name(), refusal))) {
      LOG.errorf(
          "%s cannot be answered by %s, %s stays: %s",
          surface.name(), version, versions.champion(surface).orElse("uniform"), refusal.reason());
    }
  }
}
