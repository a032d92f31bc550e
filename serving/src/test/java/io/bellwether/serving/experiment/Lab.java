package io.bellwether.serving.experiment;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.bellwether.ingestion.surface.InvalidSurfaceException;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.ingestion.surface.SurfaceReader;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.serving.Fixtures;
import io.bellwether.serving.surface.DeclaredSurface;
import io.bellwether.serving.surface.Surfaces;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A replica of everything around experiments, whose clocks stand until they are told to go. */
final class Lab {

  static final Duration LEASE = Duration.ofSeconds(2);

  private static final String PROMISES =
      """
      constraints:
        - { signal: like, at-least: 95% of champion }
        - { signal: watch_seconds, at-most: 900 }
      """;

  final Surfaces surfaces;
  final PolicyStore policies;
  final ExperimentStore store;
  final ExperimentFeed feed;
  final Experiments experiments;
  final AtomicLong nanos = new AtomicLong();
  private Instant now = Instant.parse("2026-11-30T12:00:00Z");

  private final Clock clock =
      new Clock() {
        @Override
        public ZoneId getZone() {
          return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
          return this;
        }

        @Override
        public Instant instant() {
          return now;
        }
      };

  Lab(Path folder) {
    this(folder, "feed", "search");
  }

  Lab(Path folder, String... surfaceNames) {
    this(
        folder,
        new Surfaces(
            List.of(surfaceNames).stream()
                .map(name -> Fixtures.FEED.replace("surface: feed", "surface: " + name) + PROMISES)
                .map(Lab::parsed)
                .toList()));
  }

  private Lab(Path folder, Surfaces surfaces) {
    this.surfaces = surfaces;
    policies = new PolicyStore(folder, clock);
    store = new ExperimentStore(folder);
    feed = new ExperimentFeed(store, Duration.ofMillis(500), LEASE, nanos::get);
    experiments =
        new Experiments(
            surfaces, policies, feed, clock, new Experiments.Lease(LEASE, Runnable::run));
    feed.refresh();
  }

  /** A replica whose surface has rules. */
  static Lab ruled(Path folder) {
    String rules = "rules: { at-most: [ { feature: fresh, n: 1 } ] }\n";
    return new Lab(folder, new Surfaces(List.of(parsed(Fixtures.FEED + rules))));
  }

  private static Surface parsed(String yaml) {
    try {
      return new SurfaceReader().parse("feed.yaml", yaml.getBytes(UTF_8));
    } catch (InvalidSurfaceException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Lets time pass, and everything be read again after it. */
  void pass(Duration time) {
    now = now.plus(time);
    nanos.addAndGet(time.toNanos());
    feed.refresh();
  }

  Instant now() {
    return now;
  }

  DeclaredSurface surface() {
    return surfaces.require("feed");
  }

  Assigned assign(@Nullable String subject) {
    return assign(subject, "{}");
  }

  Assigned assign(@Nullable String subject, String context) {
    return experiments.assignments().assign(surface(), occasion(subject, context));
  }

  Occasion occasion(@Nullable String subject, String context) {
    JsonNode sent = json(context);
    return new Occasion(subject, "decision-1", () -> sent, now);
  }

  /** Declares an experiment and starts it; it assigns at once. */
  ExperimentState running(String declaration) {
    Move created = created(declaration);
    Move started = experiments.start(created.experiment(), by()).toCompletableFuture().join();
    pass(LEASE);
    return started.after();
  }

  Move created(String declaration) {
    return experiments.create(bytes(declaration), by()).toCompletableFuture().join();
  }

  static By by() {
    return By.of("anna", "a test");
  }

  static byte[] bytes(String json) {
    return json.replace('\'', '"').getBytes(UTF_8);
  }

  static JsonNode json(String json) {
    try {
      return new ObjectMapper().readTree(bytes(json));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
