package io.bellwether.serving.scoring;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.ingestion.feature.FeatureLayout;
import io.bellwether.policy.schema.FeatureSchema;
import io.bellwether.policy.scoring.Scorer;
import io.bellwether.policy.scoring.ScoringException;
import io.bellwether.serving.Fixtures;
import io.bellwether.serving.LinearPolicy;
import io.bellwether.serving.policy.Versions;
import io.bellwether.serving.policy.VersionsFixture;
import io.bellwether.serving.surface.DeclaredSurface;
import io.bellwether.serving.surface.Surfaces;
import io.bellwether.serving.work.Workers;
import io.bellwether.serving.work.WorkersFixture;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ScoringQueueTest {

  private static final int WIDTH = 3;

  private final Surfaces surfaces = Fixtures.surfaces();
  private final DeclaredSurface feed = surfaces.require("feed");
  private final Versions versions = VersionsFixture.none(surfaces);
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final Workers workers = WorkersFixture.of(2);
  private final ScoringQueue queue = new ScoringQueue(workers, registry);
  private final CountDownLatch release = new CountDownLatch(1);

  @BeforeEach
  void load() {
    VersionsFixture.add(versions, feed, "v1", scorer(1));
    VersionsFixture.add(versions, feed, "v2", scorer(2));
  }

  @AfterEach
  void stop() {
    release.countDown();
    queue.stop(new ShutdownEvent());
  }

  @Test
  void whoMeetsIdleWorkersIsScoredAtOnce() {
    CompletableFuture<Scored> scored = score("v1", 3, 4, 5);
    assertTrue(scored.isDone());
    assertArrayEquals(new float[] {3, 4, 5}, scored.join().logits());
    assertEquals(1, runs());
  }

  @Test
  void whoComesWhileOthersWaitSharesTheirRun() throws Exception {
    occupyWorkers();
    List<CompletableFuture<Scored>> all = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      all.add(score("v1", i, 10 + i));
    }
    CompletableFuture<Scored> other = score("v2", 7);
    assertTrue(all.stream().noneMatch(CompletableFuture::isDone));
    release.countDown();
    for (int i = 0; i < 8; i++) {
      assertArrayEquals(new float[] {i, 10 + i}, get(all.get(i)).logits());
      assertTrue(get(all.get(i)).queueMicros() >= 0);
    }
    assertArrayEquals(new float[] {14}, get(other).logits());
    assertEquals(2, runs());
    assertEquals(9, registry.get("bellwether.scoring.requests").summary().totalAmount());
    assertEquals(17, registry.get("bellwether.scoring.candidates").summary().totalAmount());
  }

  @Test
  void oneThatIsNotFiniteFailsAlone() throws Exception {
    occupyWorkers();
    CompletableFuture<Scored> good = score("v1", 1);
    CompletableFuture<Scored> bad = score("v1", 2, Float.NaN);
    CompletableFuture<Scored> alsoGood = score("v1", 3);
    release.countDown();
    assertArrayEquals(new float[] {1}, get(good).logits());
    assertArrayEquals(new float[] {3}, get(alsoGood).logits());
    assertInstanceOf(ScoringException.class, failure(bad));
  }

  @Test
  void oneThatDoesNotFitFailsAlone() throws Exception {
    occupyWorkers();
    CompletableFuture<Scored> good = score("v1", 1);
    CompletableFuture<Scored> bad =
        queue.score(held("v1"), new float[1], history(), rows(new float[] {1}));
    release.countDown();
    assertArrayEquals(new float[] {1}, get(good).logits());
    assertInstanceOf(IllegalArgumentException.class, failure(bad));
  }

  @Test
  void whoGaveUpIsNotScored() throws Exception {
    occupyWorkers();
    CompletableFuture<Scored> gone = score("v1", 1);
    CompletableFuture<Scored> waits = score("v1", 2);
    assertTrue(gone.cancel(false));
    release.countDown();
    assertArrayEquals(new float[] {2}, get(waits).logits());
    assertEquals(1, registry.get("bellwether.scoring.requests").summary().totalAmount());
  }

  @Test
  void aVersionClosesAfterTheLastOneThatWaitsForIt() throws Exception {
    occupyWorkers();
    CompletableFuture<Scored> waits = score("v1", 5);
    VersionsFixture.clear(versions, feed);
    assertFalse(waits.isDone());
    release.countDown();
    assertArrayEquals(new float[] {5}, get(waits).logits());
  }

  @Test
  void aVersionThatCannotBeClosedLeavesNobodyWaiting() throws Exception {
    Scorer broken = scorer(1);
    VersionsFixture.add(versions, feed, "broken", broken);
    occupyWorkers();
    CompletableFuture<Scored> one = score("broken", 1);
    CompletableFuture<Scored> other = score("broken", 2);
    VersionsFixture.clear(versions, feed);
    broken.close();
    release.countDown();
    assertInstanceOf(IllegalStateException.class, failure(one));
    assertInstanceOf(IllegalStateException.class, failure(other));
  }

  @Test
  void manyAtATimeGetTheirOwnScores() throws Exception {
    List<CompletableFuture<float[]>> all = new ArrayList<>();
    List<float[]> expected = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      float[] first = new float[1 + ThreadLocalRandom.current().nextInt(20)];
      for (int j = 0; j < first.length; j++) {
        first[j] = i + 0.25f * j;
      }
      String version = i % 3 == 0 ? "v2" : "v1";
      float[] twice = first.clone();
      for (int j = 0; j < twice.length && i % 3 == 0; j++) {
        twice[j] *= 2;
      }
      expected.add(twice);
      all.add(
          CompletableFuture.completedFuture(version)
              .thenComposeAsync(scorer -> score(scorer, first), workers)
              .thenApply(Scored::logits));
    }
    for (int i = 0; i < all.size(); i++) {
      assertArrayEquals(expected.get(i), get(all.get(i)));
    }
  }

  /** Both workers wait for {@link #release}, and a third task for a worker. */
  private void occupyWorkers() throws InterruptedException {
    CountDownLatch busy = new CountDownLatch(2);
    for (int i = 0; i < 2; i++) {
      workers.execute(
          () -> {
            busy.countDown();
            try {
              release.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
    }
    busy.await();
    workers.execute(() -> {});
  }

  private CompletableFuture<Scored> score(String version, float... first) {
    return queue.score(held(version), new float[context()], history(), rows(first));
  }

  private Versions.Held held(String version) {
    return versions.acquire(feed, version).orElseThrow();
  }

  /** Candidates of which only the first feature, which the policy multiplies, is not 0. */
  private static CandidateRows rows(float[] first) {
    float[] items = new float[first.length * WIDTH];
    for (int i = 0; i < first.length; i++) {
      items[i * WIDTH] = first[i];
    }
    return CandidateRows.of(items, WIDTH, first.length);
  }

  private int context() {
    return feed.layout().contextWidth();
  }

  private float[] history() {
    return new float[feed.layout().historyLength() * feed.layout().historyWidth()];
  }

  private Scorer scorer(float weight) {
    FeatureLayout layout = feed.layout();
    return LinearPolicy.open(
        new FeatureSchema(
            layout.digest(),
            layout.contextWidth(),
            layout.historyLength(),
            layout.historyWidth(),
            layout.itemWidth(),
            List.of()),
        weight,
        0,
        0);
  }

  private long runs() {
    return registry.get("bellwether.scoring.requests").summary().count();
  }

  private static <T> T get(CompletableFuture<T> future) throws Exception {
    return future.get(10, TimeUnit.SECONDS);
  }

  private static Throwable failure(CompletableFuture<Scored> future) {
    CompletionException failure =
        assertThrows(
            CompletionException.class, () -> future.orTimeout(10, TimeUnit.SECONDS).join());
    return Objects.requireNonNull(failure.getCause());
  }
}
