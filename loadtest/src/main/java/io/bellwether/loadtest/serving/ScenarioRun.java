package io.bellwether.loadtest.serving;

import io.bellwether.ingestion.feature.FeatureLayout;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.loadtest.serving.ProcessUse.Pause;
import io.bellwether.loadtest.serving.ProcessUse.Threads;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Consumer;

/**
 * One scenario on a service that is prepared for it: warm-up, ramp, measurement at half of the
 * highest sustained rate, and both floors. One object makes one run.
 */
final class ScenarioRun {

  /** More than answers are ever under way at a rate that is sustained. */
  static final int CONNECTIONS = 128;

  private static final double WARM_UP_PER_SECOND = 300;
  private static final int FIRST_WARM_UP = 3;
  private static final double RAMP_FROM_PER_SECOND = 500;

  /**
   * Rates of the warm-up, one after the other, the last of them more than two cores can do: what is
   * called often is compiled, and compiling is over before the ramp begins.
   */
  private static final double[] WARM_UP_FACTORS = {1, 3, 9};

  private final Scenario scenario;
  private final Surface surface;
  private final ServingUnderTest service;
  private final ProcessUse process;
  private final BenchmarkExtent extent;
  private final long seed;
  private final Duration warmUp;
  private final Consumer<String> progress;
  private long runs;

  /**
   * @param first whether nothing was measured on the service before
   */
  ScenarioRun(
      Scenario scenario,
      Surface surface,
      ServingUnderTest service,
      BenchmarkExtent extent,
      long seed,
      boolean first,
      Consumer<String> progress) {
    this.scenario = scenario;
    this.surface = surface;
    this.service = service;
    this.process = new ProcessUse(service);
    this.extent = extent;
    this.seed = seed;
    this.warmUp = extent.warmUp().multipliedBy(first ? FIRST_WARM_UP : 1);
    this.progress = progress;
  }

  /** Where a service listens. */
  static InetSocketAddress address(URI base) {
    return new InetSocketAddress(base.getHost(), base.getPort());
  }

  ScenarioResult run() throws Exception {
    String host = service.base().getAuthority();
    DecisionRequests requests = DecisionRequests.of(scenario, surface, host, seed);
    DecisionRequests noops = requests.toNoop(host);
    try (OpenLoop load = new OpenLoop(address(service.base()), CONNECTIONS)) {
      warmUp(load, requests, noops);
      Ramp ramp = new Ramp(perSecond -> offer(load, requests, perSecond, extent.step()));
      double sustained = ramp.highest(RAMP_FROM_PER_SECOND);
      double half = sustained / 2;
      progress.accept(
          "%s: %,.0f decisions/s are sustained; measuring at half of it"
              .formatted(scenario.scenario(), sustained));
      offer(load, requests, half, extent.step());
      Map<String, Threads> threadsBefore = process.threads();
      long pausesFrom = process.pausesEnd();
      double cpuBefore = process.cpuSeconds();
      LoadReport measured = offer(load, requests, half, extent.measured());
      double cpu = process.cpuSeconds() - cpuBefore;
      List<Pause> pauses = process.pausesSince(pausesFrom);
      List<Threads> threads = ProcessUse.between(threadsBefore, process.threads());
      ScenarioResult.Use use =
          new ScenarioResult.Use(
              1000 * cpu / measured.offered(),
              allocated(threads, measured.offered()),
              threads,
              pauses,
              process.residentBytes().orElse(0));
      offer(load, noops, half, extent.step());
      double noopCpuBefore = process.cpuSeconds();
      LoadReport noop = offer(load, noops, half, extent.measured());
      double noopCpu = process.cpuSeconds() - noopCpuBefore;
      ScenarioResult result =
          new ScenarioResult(
              scenario,
              requests.bodyBytes(),
              sustained,
              ramp.steps(),
              measured,
              noop,
              bareGraph(),
              use,
              1000 * noopCpu / noop.offered(),
              Runtime.getRuntime().availableProcessors());
      tell(result);
      return result;
    }
  }

  private void warmUp(OpenLoop load, DecisionRequests requests, DecisionRequests noops)
      throws Exception {
    offer(load, noops, WARM_UP_PER_SECOND, warmUp.dividedBy(4));
    for (double factor : WARM_UP_FACTORS) {
      offer(load, requests, factor * WARM_UP_PER_SECOND, warmUp.dividedBy(WARM_UP_FACTORS.length));
    }
  }

  private LoadReport offer(
      OpenLoop load, DecisionRequests requests, double perSecond, Duration duration)
      throws InterruptedException {
    return load.run(
        requests,
        scenario.arrivals(perSecond, seed + runs++),
        perSecond,
        duration.toNanos(),
        AnswerListener.NONE);
  }

  private BareGraph.Times bareGraph() throws Exception {
    long measured = extent.measured().dividedBy(3).toNanos();
    try (BareGraph graph =
        new BareGraph(
            scenario.graph().model(surface, seed),
            FeatureLayout.of(surface),
            scenario.candidates())) {
      var unused = graph.run(measured / 3);
      return graph.run(measured);
    }
  }

  private static OptionalDouble allocated(List<Threads> threads, long decisions) {
    long bytes = threads.stream().mapToLong(Threads::allocatedBytes).sum();
    return bytes == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) bytes / decisions);
  }

  private void tell(ScenarioResult result) {
    progress.accept(
        String.format(
            Locale.ROOT,
            "%s: p50 %.2f, p99 %.2f, p99.9 %.2f ms at %,.0f/s; floors %.2f + %.2f ms (p50);"
                + " %.2f, %.2f, %.2f times the floor; %.0f KiB per decision",
            scenario.scenario(),
            result.load().latency().millis(50),
            result.load().latency().millis(99),
            result.load().latency().millis(99.9),
            result.load().perSecond(),
            result.noop().latency().millis(50),
            result.graph().latency().millis(50),
            result.overFloor(50),
            result.overFloor(99),
            result.overFloor(99.9),
            result.use().allocatedBytes().orElse(0) / 1024));
  }
}
