package io.bellwether.loadtest.chaos;

import io.bellwether.ingestion.event.UndecodableEventException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Injects faults one after the other while decisions are asked for, and accounts for each event
 * from its request to its transition. After each fault it waits until all is well: answers are full
 * and in time, and the spool is empty. Immutable.
 *
 * @param seed of the faults' order, and of what is asked for and when
 */
public record ChaosBenchmark(ChaosExtent extent, long seed) {

  /** Of answers that are full and in time, one after the other, before all is well again. */
  private static final int GOOD = 10;

  private static final double RECOVERS_SECONDS = 60;
  private static final Duration CALM = Duration.ofSeconds(1);
  private static final Duration LOOK = Duration.ofMillis(100);
  private static final Duration SETTLES = Duration.ofSeconds(90);
  private static final Duration JOINED = Duration.ofMinutes(3);
  private static final Duration JUMP = Duration.ofSeconds(20);

  /** Of events that may be on their way to Kafka when all is well, in seconds of decisions. */
  private static final double BACKLOG_SECONDS = 3;

  private static final String SPOOLED = "bellwether_spool_events ";
  private static final String BREAKER = "bellwether_breaker{dependency=\"kafka\"} ";

  /**
   * Measures on a system that was just started.
   *
   * @param clock dates outcomes
   * @param progress takes a line now and then
   */
  public ChaosResult run(FaultySystem system, Clock clock, Consumer<String> progress)
      throws Exception {
    long start = System.nanoTime();
    Ledger ledger = new Ledger();
    List<Injected> injected = new ArrayList<>();
    try (ChaosTraffic traffic =
        new ChaosTraffic(
            system.url(), system.champion(), extent.perSecond(), seed, ledger, clock)) {
      traffic.start();
      progress.accept("Warming up");
      recovered(system.url(), ledger, System.nanoTime());
      List<Fault> faults = FaultPlan.draw(extent.faults(), seed).faults();
      for (Fault fault : faults) {
        pause(CALM);
        Injected done = inject(system, traffic, ledger, fault);
        injected.add(done);
        progress.accept(
            "%d of %d: %s, well again after %.1f s"
                .formatted(
                    injected.size(),
                    faults.size(),
                    fault.words(),
                    done.recoverySeconds(RECOVERS_SECONDS)));
      }
      pause(CALM);
      traffic.stop();
      progress.accept("Waiting for what is under way");
      settle(traffic);
      progress.accept("Comparing requests with transitions");
      Reckoning reckoning = reckon(system.kafka(), ledger);
      return new ChaosResult(
          extent,
          seed,
          injected,
          ledger.attempts(),
          reckoning,
          ledger.retries(),
          ledger.wrongVersions(),
          traffic.unexpected(),
          RECOVERS_SECONDS,
          (System.nanoTime() - start) / 1e9);
    }
  }

  private Injected inject(FaultySystem system, ChaosTraffic traffic, Ledger ledger, Fault fault)
      throws Exception {
    long began = System.nanoTime();
    traffic.clockIsAhead(jump(fault));
    system.begin(fault);
    pause(fault.lasts());
    long ended = System.nanoTime();
    system.end(fault);
    traffic.clockIsAhead(Duration.ZERO);
    return new Injected(fault, began, ended, recovered(system.url(), ledger, ended));
  }

  private static Duration jump(Fault fault) {
    return switch (fault) {
      case CLOCK_AHEAD -> JUMP;
      case CLOCK_BEHIND -> JUMP.negated();
      default -> Duration.ZERO;
    };
  }

  /** When all was well again; 0 where it is not in time. */
  private long recovered(URI url, Ledger ledger, long sinceNanos) throws InterruptedException {
    ledger.beginAgain();
    HttpClient http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(1))
            .build();
    while ((System.nanoTime() - sinceNanos) / 1e9 < RECOVERS_SECONDS) {
      if (ledger.goodInARow() >= GOOD) {
        long good = ledger.goodSinceNanos();
        if (kafkaHasEvents(http, url)) {
          return Math.max(good, sinceNanos);
        }
      }
      pause(LOOK);
    }
    return 0;
  }

  private boolean kafkaHasEvents(HttpClient http, URI url) throws InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(url.resolve("/q/metrics")).timeout(Duration.ofSeconds(2)).build();
    try {
      List<String> lines =
          http.send(request, HttpResponse.BodyHandlers.ofString()).body().lines().toList();
      return value(lines, SPOOLED) <= BACKLOG_SECONDS * extent.perSecond()
          && value(lines, BREAKER) == 0;
    } catch (IOException away) {
      return false;
    }
  }

  private static double value(List<String> lines, String meter) {
    return lines.stream()
        .filter(line -> line.startsWith(meter))
        .mapToDouble(line -> Double.parseDouble(line.substring(meter.length())))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("serving has no meter " + meter));
  }

  private static void settle(ChaosTraffic traffic) throws InterruptedException {
    long until = System.nanoTime() + SETTLES.toNanos();
    while (traffic.pending() > 0 && System.nanoTime() - until < 0) {
      pause(LOOK);
    }
  }

  private static Reckoning reckon(String kafka, Ledger ledger) throws UndecodableEventException {
    try (JoinedLedger joined = new JoinedLedger(kafka)) {
      long until = System.nanoTime() + JOINED.toNanos();
      Reckoning reckoning = Reckoning.of(ledger, joined);
      while (!reckoning.complete() && System.nanoTime() - until < 0) {
        joined.poll();
        reckoning = Reckoning.of(ledger, joined);
      }
      return reckoning;
    }
  }

  private static void pause(Duration time) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(time.toNanos());
  }
}
