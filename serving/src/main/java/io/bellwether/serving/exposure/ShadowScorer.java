package io.bellwether.serving.exposure;

import io.bellwether.ingestion.event.Assignment;
import io.bellwether.ingestion.event.Decision;
import io.bellwether.serving.experiment.Experiments;
import io.bellwether.serving.experiment.Occasion;
import io.bellwether.serving.experiment.Shadow;
import io.bellwether.serving.experiment.Variant;
import io.bellwether.serving.policy.Versions;
import io.bellwether.serving.surface.DeclaredSurface;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * Lets versions score decisions that they did not make, on one thread of its own, after the
 * decision was logged: it reads the very record. Where it cannot keep up, decisions are left out
 * and counted, so that no answer ever waits for it. Owns its thread. Thread-safe.
 */
@Singleton
public final class ShadowScorer {

  private static final Logger LOG = Logger.getLogger(ShadowScorer.class);

  /** Decisions that may wait; what they hold is a few kilobytes each. */
  private static final int WAITING = 64;

  private final Experiments experiments;
  private final Versions versions;
  private final ExposureLog log;
  private final Counter scored;
  private final Counter failed;
  private final Counter dropped;
  private final ThreadPoolExecutor thread;

  /** Confined to the thread. */
  private final ShadowComparison comparison;

  ShadowScorer(
      Experiments experiments, Versions versions, ExposureLog log, MeterRegistry registry) {
    this.experiments = experiments;
    this.versions = versions;
    this.log = log;
    comparison = new ShadowComparison(versions);
    scored = counter(registry, "scored");
    failed = counter(registry, "failed");
    dropped = counter(registry, "dropped");
    thread =
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(WAITING),
            task -> {
              Thread made = new Thread(task, "shadow-scorer");
              made.setDaemon(true);
              return made;
            });
  }

  private static Counter counter(MeterRegistry registry, String result) {
    return Counter.builder("bellwether.shadows")
        .description("Decisions that a shadow was to score; dropped: it could not keep up")
        .tag("result", result)
        .register(registry);
  }

  void stop(@Observes ShutdownEvent event) {
    thread.shutdownNow();
  }

  /** Takes a logged decision that shadows of its surface may want to score. Never waits. */
  public void offer(DeclaredSurface surface, Occasion occasion, Decision decision) {
    List<Shadow> shadows = experiments.assignments().shadows(surface, occasion);
    for (Shadow shadow : shadows) {
      if (comparable(decision)) {
        offer(surface, decision, shadow);
      }
    }
  }

  /** A drafted slate has no distribution of its own with which another could be compared. */
  private static boolean comparable(Decision decision) {
    Assignment assignment = decision.getAssignment();
    return assignment == null || !assignment.getVariant().equals(Variant.INTERLEAVED);
  }

  private void offer(DeclaredSurface surface, Decision decision, Shadow shadow) {
    long offered = System.nanoTime();
    try {
      thread.execute(
          () -> {
            if (System.nanoTime() - offered > ShadowComparison.TIMEOUT.toNanos()) {
              dropped.increment();
              return;
            }
            score(surface, decision, shadow);
          });
    } catch (RejectedExecutionException e) {
      dropped.increment();
    }
  }

  private void score(DeclaredSurface surface, Decision decision, Shadow shadow) {
    try {
      if (!versions.settled(surface, shadow.version())) {
        dropped.increment(); // it is still being loaded, which is not its fault
        return;
      }
      ShadowScore score = comparison.score(surface, decision, shadow.version());
      (score.degraded() == null ? scored : failed).increment();
      var unused =
          log.write(Exposures.scored(decision, shadow, score))
              .exceptionally(
                  failure -> {
                    LOG.debugf(failure, "%s was not logged as a shadow", decision.getDecisionId());
                    return null;
                  });
    } catch (RuntimeException e) {
      failed.increment();
      LOG.errorf(e, "%s could not be scored by a shadow", decision.getDecisionId());
    }
  }
}
