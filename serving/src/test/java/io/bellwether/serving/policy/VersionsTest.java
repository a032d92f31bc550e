package io.bellwether.serving.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.policy.scoring.ScoringBatch;
import io.bellwether.serving.Fixtures;
import io.bellwether.serving.LinearPolicy;
import io.bellwether.serving.TestPlatform;
import io.bellwether.serving.surface.DeclaredSurface;
import io.bellwether.serving.surface.Surfaces;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class VersionsTest {

  private final Surfaces surfaces = Fixtures.surfaces();
  private final DeclaredSurface feed = surfaces.require("feed");
  private final Versions versions = new Versions(surfaces);

  @Test
  void versionsAnswerSideBySideAndTheChampionByDefault() {
    assertEquals(Optional.empty(), versions.acquire(feed));
    load("a", 1f);
    load("b", 2f);
    versions.crown(feed, "a");
    assertEquals(2, score("a"));
    assertEquals(4, score("b"));
    assertEquals(Optional.of("a"), versions.champion(feed));
    versions.crown(feed, "b");
    try (Versions.Held held = versions.acquire(feed).orElseThrow()) {
      assertEquals("b", held.version());
      assertEquals(Versions.declared(feed), held.exploration());
    }
    versions.crown(feed, null);
    assertEquals(Optional.empty(), versions.acquire(feed));
    assertEquals(2, score("a"));
    assertThrows(IllegalArgumentException.class, () -> versions.crown(feed, "c"));
  }

  @Test
  void aVersionThatIsLetGoClosesAfterItsLastUse() {
    load("a", 1f);
    load("b", 2f);
    versions.crown(feed, "a");
    Versions.Held held = versions.acquire(feed, "b").orElseThrow();
    versions.retain(feed, Set.of());
    assertEquals(Optional.empty(), versions.acquire(feed, "b"));
    assertEquals(Set.of("a"), versions.loaded(feed));
    assertEquals(4, score(held));
    held.close();
    assertThrows(RuntimeException.class, () -> score(held));
  }

  @Test
  void whatWasLookedForIsSettledWhetherItIsThereOrNot() {
    assertFalse(versions.settled(feed, "a"));
    versions.refuse(feed, "a");
    assertTrue(versions.settled(feed, List.of("a", "uniform", "as-given")));
    assertFalse(versions.settled(feed, List.of("a", "b")));
    load("a", 1f);
    assertTrue(versions.settled(feed, "a"));
    versions.refuse(feed, "b");
    versions.retain(feed, Set.of("a"));
    assertFalse(versions.settled(feed, "b"));
  }

  @Test
  void aVersionThatIsNotFiniteOnZerosIsNotTakenUp() {
    assertThrows(RuntimeException.class, () -> load("a", Float.NaN));
    assertEquals(Set.of(), versions.loaded(feed));
  }

  @Test
  void swappingUnderLoadNeverLeavesARequestWithoutAnOpenVersion() throws Exception {
    load("0", 0f);
    versions.crown(feed, "0");
    AtomicBoolean stop = new AtomicBoolean();
    ExecutorService callers = Executors.newFixedThreadPool(4);
    List<Future<Integer>> all = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      all.add(
          callers.submit(
              () -> {
                int scored = 0;
                for (; !stop.get(); scored++) {
                  try (Versions.Held held = versions.acquire(feed).orElseThrow()) {
                    assertEquals(2 * Float.parseFloat(held.version()), score(held));
                  }
                }
                return scored;
              }));
    }
    for (int version = 1; version <= 50; version++) {
      load(Integer.toString(version), version);
      versions.crown(feed, Integer.toString(version));
      versions.retain(feed, Set.of());
    }
    stop.set(true);
    for (Future<Integer> each : all) {
      assertTrue(each.get() > 0);
    }
    callers.shutdown();
    assertEquals(Set.of("50"), versions.loaded(feed));
  }

  private void load(String version, float weight) {
    float[] weights = new float[TestPlatform.schema().itemWidth()];
    weights[0] = weight;
    versions.add(feed, version, LinearPolicy.open(TestPlatform.schema(), weights), null);
  }

  private float score(String version) {
    try (Versions.Held held = versions.acquire(feed, version).orElseThrow()) {
      return score(held);
    }
  }

  /** Of an item whose first feature is 2. */
  private static float score(Versions.Held held) {
    ScoringBatch batch = new ScoringBatch(TestPlatform.schema());
    float[] items = new float[TestPlatform.schema().itemWidth()];
    items[0] = 2;
    batch.add(
        new float[TestPlatform.schema().contextWidth()],
        new float[TestPlatform.schema().historySize()],
        items);
    return held.scorer().score(batch).logits()[0];
  }
}
