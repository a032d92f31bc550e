package io.bellwether.loadtest.serving;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bellwether.ingestion.surface.Surface;
import io.bellwether.policy.version.VersionId;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Replaces the champion over and over while decisions are asked for. A version counts as retired
 * once the service itself says that its successor answers; a decision that is sent after that must
 * not come from it. One object makes one storm.
 */
final class SwapStorm {

  /** Versions that take turns: more than are ever open at once. */
  private static final int VERSIONS = 5;

  /** Swaps before memory is looked at for the first time: allocators then hold what they need. */
  private static final int FIRST_LOOK = 20;

  private static final byte[] VERSION = "\"version\":\"".getBytes(UTF_8);

  private final Scenario scenario;
  private final Surface surface;
  private final ServingUnderTest service;
  private final ServiceApi api;
  private final Clock clock;
  private final long seed;

  /** Who may answer what is sent after a moment. */
  private record Window(long fromNanos, String current, String next) {}

  /** Nobody is judged before the first swap is acknowledged. */
  private volatile Window window = new Window(Long.MAX_VALUE, "", "");

  /** Written by the thread that reads answers alone. */
  private volatile long stale;

  /** Those of the storm: a fallback that answers is none of them. */
  private volatile List<String> versions = List.of();

  /**
   * What came of it.
   *
   * @param failed requests without a full answer
   * @param stale decisions of a version after its retirement was acknowledged
   * @param swapMillis from asking for a version to its first answer
   * @param residentBefore memory after the first swaps; 0 where it cannot be told
   */
  record Result(
      int swaps,
      double perSecond,
      long requests,
      long failed,
      long degraded,
      long stale,
      Latencies latency,
      Latencies swapMillis,
      long residentBefore,
      long residentAfter) {

    /** Memory at the end over memory at the beginning, less 1; 0 where it cannot be told. */
    double residentGrowth() {
      return residentBefore == 0 ? 0 : (double) residentAfter / residentBefore - 1;
    }
  }

  SwapStorm(Scenario scenario, Surface surface, ServingUnderTest service, Clock clock, long seed) {
    this.scenario = scenario;
    this.surface = surface;
    this.service = service;
    this.api = new ServiceApi(service.base());
    this.clock = clock;
    this.seed = seed;
  }

  Result run(int swaps, double perSecond) throws Exception {
    versions = publish();
    ProcessUse process = new ProcessUse(service);
    DecisionRequests requests =
        DecisionRequests.of(scenario, surface, service.base().getAuthority(), seed);
    ExecutorService sender = Executors.newSingleThreadExecutor();
    try (OpenLoop load =
        new OpenLoop(ScenarioRun.address(service.base()), ScenarioRun.CONNECTIONS)) {
      Future<LoadReport> report =
          sender.submit(
              () ->
                  load.run(
                      requests,
                      scenario.arrivals(perSecond, seed),
                      perSecond,
                      TimeUnit.HOURS.toNanos(1),
                      this::answered));
      Latencies times = new Latencies();
      long residentBefore = process.residentBytes().orElse(0);
      long started = System.nanoTime();
      String current = api.serving(surface.name());
      try {
        for (int swap = 0; swap < swaps; swap++) {
          current = swap(current, versions.get(swap % versions.size()), times);
          if (swap == FIRST_LOOK) {
            residentBefore = process.residentBytes().orElse(0);
          }
        }
      } finally {
        load.stop();
      }
      double seconds = (System.nanoTime() - started) / 1e9;
      LoadReport sent = report.get();
      return new Result(
          swaps,
          swaps / seconds,
          sent.offered(),
          sent.unanswered(),
          sent.degraded(),
          stale,
          sent.latency(),
          times,
          residentBefore,
          process.residentBytes().orElse(0));
    } finally {
      sender.shutdownNow();
    }
  }

  private List<String> publish() {
    List<String> published = new ArrayList<>();
    for (int i = 0; i < VERSIONS; i++) {
      VersionId version = scenario.graph().publish(surface, seed + 1 + i, service.store(), clock);
      published.add(version.value());
    }
    return List.copyOf(published);
  }

  private String swap(String current, String next, Latencies times) throws Exception {
    long asked = System.nanoTime();
    window = new Window(window.fromNanos(), current, next);
    api.promote(surface.name(), next, current);
    while (!api.serving(surface.name()).equals(next)) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
    long acknowledged = System.nanoTime();
    window = new Window(acknowledged, next, next);
    times.record(acknowledged - asked);
    return next;
  }

  private void answered(long index, long sentNanos, int status, byte[] answer, int from, int to) {
    Window now = window;
    if (status / 100 != 2 || sentNanos < now.fromNanos()) {
      return;
    }
    int at = find(answer, from, to);
    if (at < 0 || says(answer, at, now.current()) || says(answer, at, now.next())) {
      return;
    }
    for (String version : versions) {
      if (says(answer, at, version)) {
        stale = stale + 1;
      }
    }
  }

  private static boolean says(byte[] answer, int at, String version) {
    for (int i = 0; i < version.length(); i++) {
      if (answer[at + i] != version.charAt(i)) {
        return false;
      }
    }
    return answer[at + version.length()] == '"';
  }

  /** Where the policy's version begins; -1 where the answer names none. */
  private static int find(byte[] answer, int from, int to) {
    for (int at = from; at + VERSION.length < to; at++) {
      int matched = 0;
      while (matched < VERSION.length && answer[at + matched] == VERSION[matched]) {
        matched++;
      }
      if (matched == VERSION.length) {
        return at + matched;
      }
    }
    return -1;
  }
}
