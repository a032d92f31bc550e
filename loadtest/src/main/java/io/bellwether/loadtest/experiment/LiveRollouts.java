package io.bellwether.loadtest.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.loadtest.load.SimulatedProduct;
import io.bellwether.loadtest.load.TrafficPlan;
import io.bellwether.loadtest.load.TrafficReport;
import io.bellwether.loadtest.load.UndeliveredException;
import io.bellwether.loadtest.people.Profile;
import io.bellwether.loadtest.people.ShortVideoWorld;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Lets a running service roll out all planted policies at once to simulated people, and touches
 * nothing until each of them is shipped or taken back. One object makes one run.
 */
final class LiveRollouts {
  private static final Set<String> SETTLED = Set.of("SHIPPED", "ROLLED_BACK", "STOPPED");
  private static final Duration POLL = Duration.ofMillis(500);

  /** Answers that were on their way when a move was acknowledged. */
  private static final Duration IN_FLIGHT = Duration.ofSeconds(2);

  private static final long LONGEST_AGE_MILLIS = 600_000;

  private final ExperimentApi api;
  private final URI base;
  private final Surface surface;
  private final PolicyStore store;
  private final LivePlan plan;
  private final String run;
  private final Clock clock;
  private final Consumer<String> progress;
  private final ShortVideoWorld world = ShortVideoWorld.of(Profile.KUAIRAND);
  private final AtomicReference<@Nullable TrafficReport> traffic = new AtomicReference<>();
  private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
  private final Histogram ageMillis = new Histogram(LONGEST_AGE_MILLIS, 3);

  /** A planted policy while it is watched. */
  private static final class Watched {
    private final VersionId version;
    private final Instant started;
    private @Nullable Instant settled;
    private long servedWhenSettled = -1;
    private String status = "RUNNING";
    private String waitsFor = "";

    Watched(VersionId version, Instant started) {
      this.version = version;
      this.started = started;
    }
  }

  /**
   * @param base of a service that runs on {@code store} and has a champion
   * @param run ends the names of experiments and decisions
   */
  LiveRollouts(
      URI base,
      Surface surface,
      PolicyStore store,
      LivePlan plan,
      String run,
      Clock clock,
      Consumer<String> progress) {
    this.api = new ExperimentApi(base);
    this.base = base;
    this.surface = surface;
    this.store = store;
    this.plan = plan;
    this.run = run;
    this.clock = clock;
    this.progress = progress;
  }

  /** Runs until all are settled, or for as long as the plan allows. */
  LiveResult run() throws IOException, InterruptedException, UndeliveredException {
    MinimumExposure minimum = new MinimumExposure(world);
    Map<PlantedPolicy, Watched> watched = new EnumMap<>(PlantedPolicy.class);
    for (PlantedPolicy policy : PlantedPolicy.values()) {
      VersionId version = PlantedGraph.publish(surface, policy, store, clock);
      api.start(plan.declaration(policy, version, surface.name(), run));
      watched.put(policy, new Watched(version, clock.instant()));
    }
    progress.accept(watched.size() + " planted policies are rolled out; people come");
    SimulatedProduct product =
        new SimulatedProduct(
            world,
            TrafficPlan.of(base, run, 0, Long.MAX_VALUE).withConcurrency(plan.extent().people()),
            clock);
    Thread people = new Thread(() -> send(product), "people");
    people.start();
    try {
      watch(watched);
    } finally {
      product.stop();
      people.join();
    }
    rethrow();
    return result(watched, minimum);
  }

  private void send(SimulatedProduct product) {
    try {
      traffic.set(product.run(traffic::set));
    } catch (UndeliveredException | RuntimeException e) {
      failure.set(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void watch(Map<PlantedPolicy, Watched> watched) throws IOException, InterruptedException {
    Instant end = clock.instant().plus(plan.extent().timeout());
    while (clock.instant().isBefore(end) && failure.get() == null && !isOver(watched)) {
      for (Map.Entry<PlantedPolicy, Watched> each : watched.entrySet()) {
        look(each.getKey(), each.getValue());
      }
      Thread.sleep(POLL.toMillis());
    }
  }

  /** Each one is settled, and has been for so long that nothing of it can be on its way. */
  private boolean isOver(Map<PlantedPolicy, Watched> watched) {
    Instant now = clock.instant();
    return watched.values().stream()
        .allMatch(
            each ->
                each.settled != null && each.settled.plus(IN_FLIGHT.multipliedBy(3)).isBefore(now));
  }

  private void look(PlantedPolicy policy, Watched watched)
      throws IOException, InterruptedException {
    Instant now = clock.instant();
    if (watched.settled != null) {
      if (watched.servedWhenSettled < 0 && watched.settled.plus(IN_FLIGHT).isBefore(now)) {
        watched.servedWhenSettled = served(watched.version);
      }
      return;
    }
    JsonNode state = api.state(LivePlan.name(policy, run));
    watched.status = state.path("status").asText();
    if (SETTLED.contains(watched.status)) {
      watched.settled = now;
      progress.accept(
          "  %s is %s after %d s: %s"
              .formatted(
                  policy.word(),
                  watched.status,
                  Duration.between(watched.started, now).toSeconds(),
                  state.path("reason").asText()));
      return;
    }
    JsonNode results = api.results(LivePlan.name(policy, run));
    watched.waitsFor = results.path("gate").path("reasons").toString();
    if (policy.isGood()) {
      recordAge(results);
    }
  }

  /** How old the newest event is that the numbers hold, while events come all the time. */
  private void recordAge(JsonNode results) {
    String newest = results.path("numbers").path("newestAt").asText("");
    if (!newest.isEmpty()) {
      long millis = Duration.between(Instant.parse(newest), clock.instant()).toMillis();
      ageMillis.recordValue(Math.max(0, Math.min(LONGEST_AGE_MILLIS, millis)));
    }
  }

  private long served(VersionId version) {
    TrafficReport report = traffic.get();
    return report == null ? 0 : report.decisionsByVersion().getOrDefault(version.value(), 0L);
  }

  private void rethrow() throws UndeliveredException {
    Exception cause = failure.get();
    if (cause instanceof UndeliveredException undelivered) {
      throw undelivered;
    }
    if (cause != null) {
      throw new IllegalStateException("the simulated product failed", cause);
    }
  }

  private LiveResult result(Map<PlantedPolicy, Watched> watched, MinimumExposure minimum)
      throws IOException, InterruptedException {
    List<PlantedOutcome> outcomes = new ArrayList<>();
    for (Map.Entry<PlantedPolicy, Watched> each : watched.entrySet()) {
      outcomes.add(outcome(each.getKey(), each.getValue(), minimum));
    }
    TrafficReport report = traffic.get();
    return new LiveResult(
        outcomes,
        ageMillis.getTotalCount(),
        ageMillis.getValueAtPercentile(50) / 1e3,
        ageMillis.getValueAtPercentile(99) / 1e3,
        report == null ? 0 : report.decisions(),
        report == null ? 0 : report.elapsed().toMillis() / 1e3);
  }

  private PlantedOutcome outcome(PlantedPolicy policy, Watched watched, MinimumExposure minimum)
      throws IOException, InterruptedException {
    String name = LivePlan.name(policy, run);
    JsonNode state = api.state(name);
    List<Integer> shares = new ArrayList<>();
    for (JsonNode phase : state.path("phases")) {
      shares.add(phase.path("shares").path("treatment").asInt());
    }
    long served = served(watched.version);
    // What failed was answered by others; only the exposures tell that it was meant to answer.
    long exposed =
        policy.fault() == PlantedPolicy.Fault.NOT_FINITE
            ? api.results(name).path("exposures").path("treatment").asLong()
            : served;
    Instant end = watched.settled == null ? clock.instant() : watched.settled;
    return new PlantedOutcome(
        policy,
        watched.status,
        Duration.between(watched.started, end).toMillis() / 1e3,
        exposed,
        minimum.of(policy),
        policy.isGood() || watched.servedWhenSettled < 0 ? 0 : served - watched.servedWhenSettled,
        shares,
        watched.settled == null ? watched.waitsFor : state.path("reason").asText());
  }
}
