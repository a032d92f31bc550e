package io.bellwether.serving.policy;

import io.bellwether.serving.surface.DeclaredSurface;
import io.bellwether.serving.surface.Surfaces;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What is known of the open versions, as meters tell it: which one answers, where its nodes really
 * run, and whether that is where they were asked to. Written by the loader alone, read by anybody.
 */
@Singleton
final class PolicyMeters {

  private final Surfaces surfaces;
  private final Versions versions;
  private final MeterRegistry registry;
  private final MultiGauge info;
  private final MultiGauge nodes;
  private final MultiGauge strayed;
  private final MultiGauge warmUp;
  private final Map<Key, VersionOpener.Facts> facts = new ConcurrentHashMap<>();

  /** By surface. Held here: the registry would let go of it. */
  private final Map<String, AtomicInteger> tampering = new ConcurrentHashMap<>();

  private record Key(String surface, String version) {
    Tags tags() {
      return Tags.of("surface", surface, "version", version);
    }
  }

  PolicyMeters(Surfaces surfaces, Versions versions, MeterRegistry registry) {
    this.surfaces = surfaces;
    this.versions = versions;
    this.registry = registry;
    info =
        MultiGauge.builder("bellwether.policy.info")
            .description("1 for each version that answers now")
            .register(registry);
    nodes =
        MultiGauge.builder("bellwether.policy.nodes")
            .description("Nodes of an open version's graph by where they ran, as was measured")
            .register(registry);
    strayed =
        MultiGauge.builder("bellwether.policy.strayed")
            .description("1 for an open version that does not run on the device it was asked to")
            .register(registry);
    warmUp =
        MultiGauge.builder("bellwether.policy.warmup.p99")
            .description("99th percentile of the time to score one request before it served")
            .baseUnit("seconds")
            .register(registry);
  }

  /** What is known of an open version; empty where it is not open. */
  Optional<VersionOpener.Facts> facts(DeclaredSurface surface, String version) {
    return Optional.ofNullable(facts.get(new Key(surface.name(), version)));
  }

  void opened(DeclaredSurface surface, String version, VersionOpener.Facts known) {
    facts.put(new Key(surface.name(), version), known);
  }

  /** Counts an attempt to load a version that failed. */
  void refused(DeclaredSurface surface) {
    Counter.builder("bellwether.policy.load.failures")
        .description("Attempts to load a version that failed")
        .tag("surface", surface.name())
        .register(registry)
        .increment();
  }

  /** Whether something was tampered with on a surface, or is vouched for by nobody. */
  void tampered(DeclaredSurface surface, boolean tampered) {
    tampering
        .computeIfAbsent(
            surface.name(),
            name -> {
              AtomicInteger state = new AtomicInteger();
              Gauge.builder("bellwether.policy.tampered", state, AtomicInteger::get)
                  .description(
                      "1 while a move, manifest or graph was altered or is vouched for by nobody")
                  .tag("surface", name)
                  .register(registry);
              return state;
            })
        .set(tampered ? 1 : 0);
  }

  /** Shows what is open now, and forgets what is no longer. */
  void show() {
    facts.keySet().removeIf(key -> !isOpen(key));
    info.register(surfaces.all().stream().flatMap(each -> champion(each).stream()).toList(), true);
    List<MultiGauge.Row<?>> ran = new ArrayList<>();
    List<MultiGauge.Row<?>> away = new ArrayList<>();
    List<MultiGauge.Row<?>> took = new ArrayList<>();
    facts.forEach(
        (key, known) -> {
          known
              .placement()
              .byProvider()
              .forEach(
                  (provider, counted) ->
                      ran.add(
                          MultiGauge.Row.of(
                              key.tags().and("form", known.form(), "provider", provider),
                              counted.nodes())));
          away.add(MultiGauge.Row.of(key.tags(), known.strayed() ? 1 : 0));
          took.add(MultiGauge.Row.of(key.tags(), known.tried().p99().toNanos() / 1e9));
        });
    nodes.register(ran, true);
    strayed.register(away, true);
    warmUp.register(took, true);
  }

  private boolean isOpen(Key key) {
    return surfaces
        .find(key.surface())
        .filter(surface -> versions.loaded(surface).contains(key.version()))
        .isPresent();
  }

  private Optional<MultiGauge.Row<Number>> champion(DeclaredSurface surface) {
    return versions
        .champion(surface)
        .map(
            version ->
                MultiGauge.Row.of(
                    Tags.of(
                        "name",
                        surface.name(),
                        "version",
                        version,
                        "digest",
                        surface.layout().digest()),
                    1));
  }
}
