package io.bellwether.loadtest.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.ingestion.surface.Surface;
import io.bellwether.ingestion.surface.SurfaceReader;
import io.bellwether.loadtest.benchmark.ServedPolicy;
import io.bellwether.loadtest.people.LinearPolicy;
import io.bellwether.loadtest.people.PolicyValue;
import io.bellwether.loadtest.people.Profile;
import io.bellwether.loadtest.people.ShortVideoWorld;
import io.bellwether.loadtest.people.Signal;
import io.bellwether.loadtest.people.SimulatedPolicy;
import io.bellwether.loadtest.people.TrueValue;
import io.bellwether.policy.scoring.Scorer;
import io.bellwether.policy.version.PolicyStore;
import java.nio.file.Path;
import java.time.Clock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlantedGraphTest {
  private static final int SESSIONS = 300;

  private final ShortVideoWorld world = ShortVideoWorld.of(Profile.KUAIRAND);
  private Surface surface;
  private PolicyStore store;

  @TempDir private Path folder;

  @BeforeEach
  void openStore() throws Exception {
    surface = new SurfaceReader().read(Path.of("../examples/surfaces/short-video.yaml"));
    store = new PolicyStore(folder, Clock.systemUTC());
  }

  @Test
  void theBetterOneIsWatchedMoreAndKeepsItsPromises() throws InterruptedException {
    PolicyValue better = value(PlantedPolicy.BETTER);
    PolicyValue champion = value(LinearPolicy.logging(world.catalogue()));
    assertTrue(better.ratioTo(champion, Signal.WATCH_SECONDS).mean() > 1.3);
    assertTrue(better.ratioTo(champion, Signal.CLICK).mean() > 1);
  }

  @Test
  void theOneThatBreaksAPromiseIsWatchedMoreAndClickedLess() throws InterruptedException {
    PolicyValue breaking = value(PlantedPolicy.BREAKS_PROMISE);
    PolicyValue champion = value(LinearPolicy.logging(world.catalogue()));
    assertTrue(breaking.ratioTo(champion, Signal.WATCH_SECONDS).mean() > 1.5);
    assertTrue(breaking.ratioTo(champion, Signal.CLICK).mean() < 0.8);
  }

  @Test
  void theWorseOneIsWatchedLess() throws InterruptedException {
    PolicyValue champion = value(LinearPolicy.logging(world.catalogue()));
    assertTrue(value(PlantedPolicy.WORSE).ratioTo(champion, Signal.WATCH_SECONDS).mean() < 0.7);
  }

  @Test
  void graphsRankAsTheirPoliciesSay() throws InterruptedException {
    assertEquals(
        1,
        value(PlantedPolicy.BETTER)
            .ratioTo(value(PlantedPolicy.BETTER.ranking(world.catalogue())), Signal.WATCH_SECONDS)
            .mean(),
        1e-3);
  }

  @Test
  void theFailingOneIsFoundOutByRealRequestsOnly() {
    try (Scorer scorer = open(PlantedPolicy.FAILS)) {
      scorer.warmUp();
      ServedPolicy served = new ServedPolicy(surface, world.catalogue(), scorer);
      TrueValue value = new TrueValue(world, 1, 1);
      assertThrows(IllegalStateException.class, () -> value.of(served, 0, 2, 1));
    }
  }

  @Test
  void theSlowOneRanksAsTheProductDoes() {
    try (Scorer scorer = open(PlantedPolicy.SLOW)) {
      scorer.warmUp();
    }
  }

  private PolicyValue value(PlantedPolicy policy) throws InterruptedException {
    try (Scorer scorer = open(policy)) {
      ServedPolicy served = new ServedPolicy(surface, world.catalogue(), scorer);
      return new TrueValue(world, 2, 100).of(served, 0, SESSIONS, 1);
    }
  }

  private PolicyValue value(SimulatedPolicy policy) throws InterruptedException {
    return new TrueValue(world, 2, 100).of(policy, 0, SESSIONS, 1);
  }

  private Scorer open(PlantedPolicy policy) {
    return store.open(PlantedGraph.publish(surface, policy, store, Clock.systemUTC()));
  }
}
