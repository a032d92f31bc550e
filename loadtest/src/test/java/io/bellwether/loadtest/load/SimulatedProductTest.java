package io.bellwether.loadtest.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.loadtest.people.Catalogue;
import io.bellwether.loadtest.people.Profile;
import io.bellwether.loadtest.people.Response;
import io.bellwether.loadtest.people.Session;
import io.bellwether.loadtest.people.ShortVideoWorld;
import io.bellwether.loadtest.people.Signal;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SimulatedProductTest {
  private static final Instant NOW = Instant.parse("2026-11-30T10:00:00Z");
  private static final long FIRST_SESSION = 100_000;
  private static final int SESSIONS = 60;

  private static final Delivery FAST =
      new Delivery(6000, 0.05, 0.05, Duration.ofMillis(100), 50, 10_000);
  private static final Patience QUICK =
      new Patience(
          Duration.ofSeconds(5),
          Duration.ofMillis(2),
          Duration.ofMillis(20),
          Duration.ofSeconds(30));

  private final ShortVideoWorld world = ShortVideoWorld.of(Profile.KUAIRAND);

  @Test
  void whateverFailsEverythingArrivesAndTheCountsAreThoseOfDistinctIds() throws Exception {
    try (FlakyBellwether bellwether = FlakyBellwether.failing(0.25)) {
      TrafficReport report = product(plan(bellwether.uri())).run(progress -> {});

      assertEquals(Set.of(), bellwether.problems);
      assertEquals(Catalogue.ITEMS, bellwether.items.size());
      assertEquals(SESSIONS, report.sessions());
      assertEquals(bellwether.decisions.size(), report.decisions());
      assertEquals(bellwether.outcomes.size(), report.outcomes());
      assertEquals(0, report.outcomesPending());
      assertTrue(bellwether.faults.get() > 100, "faults " + bellwether.faults);
      assertTrue(report.retries() >= bellwether.faults.get());
      assertTrue(report.replayed() > 0);
      assertTrue(report.duplicates() > 0);
      int arrivals = bellwether.outcomeArrivals.values().stream().mapToInt(n -> n.get()).sum();
      assertTrue(arrivals >= report.outcomes() + report.duplicates());
      assertEquals(Map.of("v1", report.decisions()), report.decisionsByVersion());
      assertTrue(report.decisionLatency().requests() == report.decisions());
      assertTrue(report.decisionLatency().p50Millis() <= report.decisionLatency().p99Millis());
    }
  }

  @Test
  void peopleRespondOverHttpAsTheyDoInTheWorld() throws Exception {
    try (FlakyBellwether bellwether = FlakyBellwether.failing(0.1)) {
      TrafficReport report = product(plan(bellwether.uri())).run(progress -> {});

      Map<String, Long> expected = new TreeMap<>();
      double watchSeconds = 0;
      int decisions = 0;
      for (int i = 0; i < SESSIONS; i++) {
        Session session = world.start(FIRST_SESSION + i);
        while (!session.isOver()) {
          Response response = session.show(session.candidates()[0]);
          decisions++;
          watchSeconds += response.value(Signal.WATCH_SECONDS);
          for (Signal signal : Signal.values()) {
            if (signal == Signal.WATCH_SECONDS || response.has(signal)) {
              expected.merge(signal.wireName(), 1L, Long::sum);
            }
          }
        }
      }
      assertEquals(decisions, report.decisions());
      assertEquals(expected, new TreeMap<>(report.outcomesBySignal()));
      assertEquals(watchSeconds, report.watchSeconds(), 1e-6);
      assertEquals(watchSeconds, sumOf(bellwether, "watch_seconds"), 1e-6);
    }
  }

  @Test
  void aDecisionAsksForOneStepOfOnePerson() throws Exception {
    try (FlakyBellwether bellwether = FlakyBellwether.failing(0)) {
      TrafficReport report =
          product(plan(bellwether.uri()).withApiKey("secret")).run(progress -> {});

      JsonNode request = bellwether.decision("s100000-t0-r1");
      assertEquals("short-video", request.get("surface").asText());
      assertEquals("u0", request.at("/subject/id").asText());
      assertEquals(8, request.at("/context/taste").size());
      assertEquals(8, request.at("/context/topic_memory").size());
      assertEquals(0, request.at("/context/step").asDouble());
      assertEquals(0, request.at("/context/last_watch").asDouble());
      assertEquals(20, request.get("candidates").size());
      assertEquals(Set.of("secret"), bellwether.apiKeys);
      assertEquals(0, report.retries());
      assertEquals(0, report.replayed());
    }
  }

  @Test
  void outcomesHappenWhenThePersonReacts() throws Exception {
    try (FlakyBellwether bellwether = FlakyBellwether.failing(0)) {
      product(plan(bellwether.uri())).run(progress -> {});

      Response first = world.start(FIRST_SESSION).show(world.start(FIRST_SESSION).candidates()[0]);
      JsonNode watch = bellwether.outcome("s100000-t0-r1-watch_seconds");
      double seconds = first.value(Signal.WATCH_SECONDS);
      assertEquals(seconds, watch.get("value").asDouble());
      Duration after = Duration.between(NOW, Instant.parse(watch.get("occurredAt").asText()));
      assertEquals(seconds / FAST.timeFactor(), after.toNanos() / 1e9, 1e-6);
      List<String> flags =
          bellwether.outcomes.values().stream()
              .filter(outcome -> !outcome.get("signal").asText().equals("watch_seconds"))
              .map(outcome -> outcome.get("value").toString())
              .distinct()
              .collect(Collectors.toList());
      assertEquals(List.of("1"), flags);
    }
  }

  @Test
  void aRestartOfServingLosesNothing() throws Exception {
    ExecutorService caller = Executors.newSingleThreadExecutor();
    try (FlakyBellwether bellwether = FlakyBellwether.failing(0)) {
      Future<TrafficReport> run =
          caller.submit(() -> product(plan(bellwether.uri())).run(progress -> {}));
      assertTrue(bellwether.hundredDecisions.await(30, TimeUnit.SECONDS));
      bellwether.restart();
      TrafficReport report = run.get();

      assertEquals(Set.of(), bellwether.problems);
      assertEquals(SESSIONS, report.sessions());
      assertEquals(bellwether.decisions.size(), report.decisions());
      assertEquals(bellwether.outcomes.size(), report.outcomes());
    } finally {
      caller.shutdownNow();
    }
  }

  @Test
  void aStoppedRunFinishesItsSessions() throws Exception {
    ExecutorService caller = Executors.newSingleThreadExecutor();
    try (FlakyBellwether bellwether = FlakyBellwether.failing(0.1)) {
      TrafficPlan endless =
          TrafficPlan.of(bellwether.uri(), "1", FIRST_SESSION, Long.MAX_VALUE)
              .withDelivery(FAST)
              .withPatience(QUICK);
      SimulatedProduct product = product(endless);
      Future<TrafficReport> run = caller.submit(() -> product.run(progress -> {}));
      assertTrue(bellwether.hundredDecisions.await(30, TimeUnit.SECONDS));
      product.stop();
      TrafficReport report = run.get();

      assertEquals(bellwether.decisions.size(), report.decisions());
      assertEquals(bellwether.outcomes.size(), report.outcomes());
      assertEquals(report.sessions(), sessionsThatEnded(bellwether));
    } finally {
      caller.shutdownNow();
    }
  }

  @Test
  void noSessionStartsAfterTheTimeIsOver() throws Exception {
    try (FlakyBellwether bellwether = FlakyBellwether.failing(0)) {
      TrafficReport report =
          product(plan(bellwether.uri()).withStopAfter(Duration.ZERO)).run(progress -> {});
      assertEquals(0, report.sessions());
      assertEquals(0, report.decisions());
    }
  }

  @Test
  void progressIsToldWhileTheRunLasts() throws Exception {
    List<TrafficReport> told = new ArrayList<>();
    try (FlakyBellwether bellwether = FlakyBellwether.failing(0)) {
      Delivery slow = new Delivery(6000, 1, 0, Duration.ofMillis(1500), 1000, 10_000);
      TrafficReport report = product(plan(bellwether.uri()).withDelivery(slow)).run(told::add);
      assertFalse(told.isEmpty());
      assertTrue(told.get(0).outcomes() < report.outcomes());
      assertTrue(told.get(0).outcomesPending() > 0);
    }
  }

  @Test
  void aRefusalEndsTheRunAndSaysWhatWasRefused() throws Exception {
    try (FlakyBellwether bellwether = FlakyBellwether.refusing(400)) {
      UndeliveredException thrown =
          assertThrows(
              UndeliveredException.class,
              () -> product(plan(bellwether.uri())).run(progress -> {}));
      assertTrue(thrown.toString().contains("was refused with status 400"), thrown.toString());
      assertTrue(thrown.toString().contains("decision s1000"), thrown.toString());
    }
  }

  @Test
  void aServerThatIsNotThereEndsTheRunWhenPatienceDoes() throws IOException {
    URI nobody;
    try (ServerSocket free = new ServerSocket(0)) {
      nobody = URI.create("http://127.0.0.1:" + free.getLocalPort());
    }
    Patience little =
        new Patience(
            Duration.ofSeconds(1),
            Duration.ofMillis(1),
            Duration.ofMillis(5),
            Duration.ofMillis(100));
    UndeliveredException thrown =
        assertThrows(
            UndeliveredException.class,
            () -> product(plan(nobody).withPatience(little)).run(progress -> {}));
    assertTrue(thrown.toString().contains("the catalogue had no answer in"), thrown.toString());
  }

  private SimulatedProduct product(TrafficPlan plan) {
    return new SimulatedProduct(world, plan, Clock.fixed(NOW, ZoneOffset.UTC));
  }

  private static TrafficPlan plan(URI uri) {
    return TrafficPlan.of(uri, "1", FIRST_SESSION, SESSIONS)
        .withConcurrency(16)
        .withDelivery(FAST)
        .withPatience(QUICK);
  }

  private static double sumOf(FlakyBellwether bellwether, String signal) {
    return bellwether.outcomes.values().stream()
        .filter(outcome -> outcome.get("signal").asText().equals(signal))
        .mapToDouble(outcome -> outcome.get("value").asDouble())
        .sum();
  }

  private static long sessionsThatEnded(FlakyBellwether bellwether) {
    return bellwether.decisions.keySet().stream()
        .filter(id -> id.contains("-t39-") || bellwether.outcomes.containsKey(id + "-leave"))
        .count();
  }
}
