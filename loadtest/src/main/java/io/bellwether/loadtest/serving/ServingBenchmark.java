package io.bellwether.loadtest.serving;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.bellwether.ingestion.surface.InvalidSurfaceException;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.ingestion.surface.SurfaceReader;
import io.bellwether.loadtest.fuzz.HostileTraffic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * All scenarios of a folder on one service, then the swap storm and the soak on the first of them.
 * Immutable.
 *
 * @param scenarios folder of scenario files
 * @param only names of the scenarios to run; the first of them in the folder's order is the
 *     reference
 * @param seed of everything random
 */
public record ServingBenchmark(Path scenarios, Pattern only, BenchmarkExtent extent, long seed) {

  /** Loading versions takes CPU time as well: of half of the highest rate, half. */
  private static final double STORM_SHARE = 0.5;

  private static final double SOAK_SHARE = 0.5;
  private static final Duration INDEX_IS_THERE = Duration.ofSeconds(60);
  private static final long POLL_MILLIS = 200;

  /**
   * Runs everything.
   *
   * @param out folder for distributions and plots
   * @param progress takes a line per step
   */
  public ServingResult run(
      ServingUnderTest service, Path out, Clock clock, Consumer<String> progress) throws Exception {
    Instant start = clock.instant();
    List<Scenario> chosen =
        ScenarioFolder.read(scenarios).stream()
            .filter(each -> only.matcher(each.scenario()).matches())
            .toList();
    if (chosen.stream().allMatch(each -> each.required().nothing() && !extent.all())) {
      throw new IllegalArgumentException(
          "no scenario of " + scenarios + " to measure is called " + only);
    }
    ServiceApi api = new ServiceApi(service.base());
    Stage stage = new Stage(service, api, clock, seed);
    List<ScenarioResult> results = new ArrayList<>();
    for (Scenario scenario : chosen) {
      Surface surface = surface(service, scenario);
      if (scenario.required().nothing() && !extent.all()) {
        continue;
      }
      progress.accept(scenario.scenario() + ": " + scenario.about());
      stage.prepare(scenario, surface);
      ScenarioResult result =
          new ScenarioRun(scenario, surface, service, extent, seed, results.isEmpty(), progress)
              .run();
      write(result, out);
      results.add(result);
    }
    ScenarioResult reference = results.get(0);
    Surface surface = surface(service, reference.scenario());
    Optional<SwapStorm.Result> storm = Optional.empty();
    if (extent.swaps() > 0) {
      progress.accept(extent.swaps() + " swaps of the champion under load");
      storm =
          Optional.of(
              new SwapStorm(reference.scenario(), surface, service, clock, seed)
                  .run(extent.swaps(), STORM_SHARE * reference.sustained() / 2));
    }
    Optional<Soak.Result> soak = Optional.empty();
    if (!extent.soak().isZero()) {
      progress.accept("Soaking for " + extent.soak().toMinutes() + " min");
      soak =
          Optional.of(
              new Soak(reference.scenario(), surface, service, seed, progress)
                  .run(extent.soak(), SOAK_SHARE * reference.sustained()));
    }
    OptionalDouble recall = recall(service, stage, api, chosen, progress);
    Optional<ServingResult.Hostile> hostile = hostile(service, reference.scenario(), progress);
    return new ServingResult(
        seed,
        Duration.between(start, clock.instant()).toMillis() / 1e3,
        extent,
        results,
        storm,
        soak,
        hostile,
        recall);
  }

  private static Surface surface(ServingUnderTest service, Scenario scenario)
      throws IOException, InvalidSurfaceException {
    return new SurfaceReader().read(service.surfaces().resolve(scenario.surface() + ".yaml"));
  }

  private Optional<ServingResult.Hostile> hostile(
      ServingUnderTest service, Scenario scenario, Consumer<String> progress)
      throws IOException, InterruptedException {
    if (extent.hostile() == 0) {
      return Optional.empty();
    }
    progress.accept("%,d malformed and hostile requests".formatted(extent.hostile()));
    HostileTraffic.Target target =
        new HostileTraffic.Target(
            service.base().getHost(),
            service.base().getPort(),
            service.grpcPort(),
            scenario.surface(),
            "");
    ProcessUse process = new ProcessUse(service);
    HostileTraffic.Result traffic =
        HostileTraffic.run(target, seed, extent.hostile(), () -> process.residentBytes().orElse(0));
    return Optional.of(
        new ServingResult.Hostile(traffic, HostileTraffic.leaks(service.log(), target.apiKey())));
  }

  /** Of the first scenario that lets the service propose candidates, once its index is measured. */
  private static OptionalDouble recall(
      ServingUnderTest service,
      Stage stage,
      ServiceApi api,
      List<Scenario> chosen,
      Consumer<String> progress)
      throws IOException, InterruptedException, InvalidSurfaceException {
    Optional<Scenario> retrieving =
        chosen.stream().filter(each -> each.features() == Scenario.Features.RETRIEVED).findFirst();
    if (retrieving.isEmpty()) {
      return OptionalDouble.empty();
    }
    progress.accept("Recall of nearest neighbours among " + retrieving.get().items() + " items");
    stage.prepare(retrieving.get(), surface(service, retrieving.get()));
    long end = System.nanoTime() + INDEX_IS_THERE.toNanos();
    while (System.nanoTime() - end < 0) {
      JsonNode share =
          api.retrieval(retrieving.get().surface())
              .map(told -> told.at("/indexes/0/recall/share"))
              .orElse(MissingNode.getInstance());
      if (share.isNumber()) {
        return OptionalDouble.of(share.asDouble());
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
    return OptionalDouble.empty();
  }

  private static void write(ScenarioResult result, Path out) throws IOException {
    Files.createDirectories(out);
    String name = "serving-" + result.scenario().scenario();
    result.load().latency().write(out.resolve(name + ".hgrm"));
    result.noop().latency().write(out.resolve(name + "-noop.hgrm"));
    result.graph().latency().write(out.resolve(name + "-graph.hgrm"));
    Files.writeString(out.resolve(name + ".svg"), LatencyPlot.of(result));
  }
}
