package io.bellwether.loadtest.serving;

import io.bellwether.ingestion.surface.Surface;
import io.bellwether.loadtest.serving.ProcessUse.Pause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** A long time at one rate: what grows, and what stands still. One object makes one run. */
final class Soak {
  private static final long LOOK_SECONDS = 10;

  private final Scenario scenario;
  private final Surface surface;
  private final ServingUnderTest service;
  private final long seed;
  private final Consumer<String> progress;

  /**
   * What came of it.
   *
   * @param residentBytes every ten seconds
   * @param pauses stops of all threads
   */
  record Result(double perSecond, LoadReport load, List<Long> residentBytes, List<Pause> pauses) {

    double longestPauseMillis() {
      return pauses.stream().mapToDouble(Pause::millis).max().orElse(0);
    }

    /**
     * Memory of the last tenth over that of the second tenth, less 1; 0 where it cannot be told.
     */
    double residentGrowth() {
      int tenth = residentBytes.size() / 10;
      if (tenth == 0) {
        return 0;
      }
      double early = mean(residentBytes.subList(tenth, 2 * tenth));
      double late = mean(residentBytes.subList(9 * tenth, residentBytes.size()));
      return early == 0 ? 0 : late / early - 1;
    }

    private static double mean(List<Long> bytes) {
      return bytes.stream().mapToLong(Long::longValue).average().orElse(0);
    }
  }

  Soak(
      Scenario scenario,
      Surface surface,
      ServingUnderTest service,
      long seed,
      Consumer<String> progress) {
    this.scenario = scenario;
    this.surface = surface;
    this.service = service;
    this.seed = seed;
    this.progress = progress;
  }

  Result run(Duration duration, double perSecond) throws Exception {
    ProcessUse process = new ProcessUse(service);
    DecisionRequests requests =
        DecisionRequests.of(scenario, surface, service.base().getAuthority(), seed);
    long pausesFrom = process.pausesEnd();
    List<Long> resident = new ArrayList<>();
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
                      duration.toNanos(),
                      AnswerListener.NONE));
      while (true) {
        try {
          LoadReport done = report.get(LOOK_SECONDS, TimeUnit.SECONDS);
          return new Result(
              perSecond, done, List.copyOf(resident), process.pausesSince(pausesFrom));
        } catch (TimeoutException running) {
          resident.add(process.residentBytes().orElse(0));
          if (resident.size() % 30 == 0) {
            progress.accept(
                "  soaking since %d min, %d MiB"
                    .formatted(
                        resident.size() * LOOK_SECONDS / 60,
                        resident.get(resident.size() - 1) >> 20));
          }
        }
      }
    } finally {
      sender.shutdownNow();
    }
  }
}
