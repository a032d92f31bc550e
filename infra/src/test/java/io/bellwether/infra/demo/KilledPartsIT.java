package io.bellwether.infra.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bellwether.infra.local.Installation;
import io.bellwether.infra.local.LocalSettings;
import io.bellwether.infra.local.LocalSystem;
import io.bellwether.ingestion.archive.TransitionArchive;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.loadtest.load.SimulatedProduct;
import io.bellwether.loadtest.load.TrafficPlan;
import io.bellwether.loadtest.load.TrafficReport;
import io.bellwether.loadtest.people.Profile;
import io.bellwether.loadtest.people.ShortVideoWorld;
import io.bellwether.trainer.replay.Replay;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Streams and serving are killed as a crash would, while people are served. */
class KilledPartsIT {

  private static final int SESSIONS = 800;
  private static final Duration JOINED = Duration.ofSeconds(120);

  @TempDir Path data;

  @Test
  void killingStreamsAndServingInTheMiddleOfARunChangesNoCount() throws Exception {
    Path home = Path.of("..").toRealPath();
    Installation installation =
        new Installation(
            home,
            Path.of(System.getProperty("java.home"), "bin", "java"),
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    assumeTrue(
        Files.exists(installation.servingJar()), "Serving is not built: run mvn package first.");
    Path surfaces = Files.createDirectory(data.resolve("declared"));
    Files.copy(
        home.resolve("examples/surfaces/short-video.yaml"), surfaces.resolve("short-video.yaml"));
    LocalSettings settings = new LocalSettings(data, surfaces, OptionalInt.empty(), "");
    List<String> lines = new ArrayList<>();

    try (LocalSystem system = LocalSystem.start(installation, settings, lines::add);
        JoinedTally tally = new JoinedTally(system.platform().kafka(), id -> true)) {
      TrafficReport sent = trafficWithAccidents(system);
      awaitJoined(tally, sent);

      assertEquals(SESSIONS, sent.sessions());
      assertEquals(sent.decisions(), tally.transitions());
      assertEquals(sent.outcomes(), tally.outcomes());
      assertEquals(0, tally.sameRevisionTwice());
      assertEquals(0, tally.deadLetters());
      assertTrue(sent.retries() > 0, "nobody noticed that serving was killed");
      assertArchiveHolds(sent);
    }
  }

  /** Kills the streams after an eighth of the people, and serving after a quarter of them. */
  private static TrafficReport trafficWithAccidents(LocalSystem system) throws Exception {
    SimulatedProduct product =
        new SimulatedProduct(
            ShortVideoWorld.of(Profile.KUAIRAND),
            TrafficPlan.of(system.url(), "killed", 200_000, SESSIONS),
            Clock.systemUTC());
    CountDownLatch eighth = new CountDownLatch(1);
    CountDownLatch quarter = new CountDownLatch(1);
    CompletableFuture<TrafficReport> traffic =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return product.run(
                    now -> {
                      if (now.sessions() >= SESSIONS / 8) {
                        eighth.countDown();
                      }
                      if (now.sessions() >= SESSIONS / 4) {
                        quarter.countDown();
                      }
                    });
              } catch (Exception e) {
                throw new IllegalStateException(e);
              } finally {
                eighth.countDown();
                quarter.countDown();
              }
            });
    eighth.await();
    system.kill(LocalSystem.STREAMS);
    system.restart(LocalSystem.STREAMS);
    quarter.await();
    system.kill(LocalSystem.SERVING);
    system.restart(LocalSystem.SERVING);
    return traffic.get();
  }

  private static void awaitJoined(JoinedTally tally, TrafficReport sent) {
    Instant deadline = Instant.now().plus(JOINED);
    while ((tally.transitions() < sent.decisions() || tally.outcomes() < sent.outcomes())
        && Instant.now().isBefore(deadline)) {
      tally.poll();
    }
  }

  /** The archive too holds every decision once, and each is drawn again as it was. */
  private void assertArchiveHolds(TrafficReport sent) throws Exception {
    Set<String> decisions = new HashSet<>();
    try (Replay replay = new Replay(version -> Optional.empty());
        TransitionArchive.Transitions transitions =
            new TransitionArchive(data.resolve("archive")).read(SimulatedProduct.SURFACE)) {
      while (transitions.hasNext()) {
        Transition transition = transitions.next();
        decisions.add(transition.getDecision().getDecisionId());
        replay.add(transition);
      }
      assertEquals(sent.decisions(), decisions.size());
      assertEquals(sent.decisions(), replay.result().equal());
    }
  }
}
