package io.bellwether.serving.health;

import io.bellwether.serving.item.Catalogue;
import io.bellwether.serving.item.ItemFeed;
import io.bellwether.serving.log.EventLog;
import io.bellwether.serving.policy.OpenVersion;
import io.bellwether.serving.policy.PolicyLoader;
import io.bellwether.serving.policy.Versions;
import io.bellwether.serving.redis.RedisLink;
import io.bellwether.serving.surface.DeclaredSurface;
import io.bellwether.serving.surface.Surfaces;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;

/** The checks of {@code /q/health/ready}. Each is a look at a field; none goes out to ask. */
@Singleton
final class Readiness {

  private final Surfaces surfaces;
  private final Versions versions;
  private final PolicyLoader loader;
  private final Catalogue catalogue;
  private final ItemFeed items;
  private final EventLog log;
  private final RedisLink redis;

  Readiness(
      Surfaces surfaces,
      Versions versions,
      PolicyLoader loader,
      Catalogue catalogue,
      ItemFeed items,
      EventLog log,
      RedisLink redis) {
    this.surfaces = surfaces;
    this.versions = versions;
    this.loader = loader;
    this.catalogue = catalogue;
    this.items = items;
    this.log = log;
    this.redis = redis;
  }

  /** Up once each surface's champion was looked for; the data say which version answers. */
  @Produces
  @Singleton
  @org.eclipse.microprofile.health.Readiness
  HealthCheck policies() {
    return () -> {
      HealthCheckResponseBuilder answer =
          HealthCheckResponse.named("policies").status(loader.settled());
      for (DeclaredSurface surface : surfaces.all()) {
        answer.withData(surface.name(), versions.champion(surface).orElse("uniform"));
        loader
            .refusal(surface)
            .ifPresent(reason -> answer.withData(surface.name() + " refused", reason));
        loader
            .tampering(surface)
            .ifPresent(reason -> answer.withData(surface.name() + " tampering", reason));
        loader.open(surface).ifPresent(open -> tell(answer, surface, open));
      }
      return answer.build();
    };
  }

  private static void tell(
      HealthCheckResponseBuilder answer, DeclaredSurface surface, OpenVersion open) {
    answer.withData(surface.name() + " ran on", open.ranOn());
    if (open.alarm() != null) {
      answer.withData(surface.name() + " alarm", open.alarm());
    }
  }

  /** Up once all items that were registered before the start are known. */
  @Produces
  @Singleton
  @org.eclipse.microprofile.health.Readiness
  HealthCheck items() {
    return () -> {
      HealthCheckResponseBuilder answer =
          HealthCheckResponse.named("items")
              .status(items.caughtUp())
              .withData("state", items.state())
              .withData("skipped", catalogue.skipped());
      surfaces.all().forEach(s -> answer.withData(s.name(), catalogue.items(s).size()));
      return answer.build();
    };
  }

  /** Up once Kafka was met, or while the spool has room. */
  @Produces
  @Singleton
  @org.eclipse.microprofile.health.Readiness
  HealthCheck log() {
    return () ->
        HealthCheckResponse.named("log")
            .status(log.ready())
            .withData("state", log.state())
            .withData("spool", log.spoolState())
            .build();
  }

  /** Up once it was tried to meet Redis: without it decisions are degraded, and still made. */
  @Produces
  @Singleton
  @org.eclipse.microprofile.health.Readiness
  HealthCheck histories() {
    return () ->
        HealthCheckResponse.named("histories")
            .status(redis.settled())
            .withData("connected", redis.connected())
            .build();
  }
}
