package io.bellwether.serving;

import io.bellwether.ingestion.surface.InvalidSurfaceException;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.ingestion.surface.SurfaceReader;
import io.bellwether.serving.surface.Surfaces;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** The surfaces and settings of the tests. */
public final class Fixtures {

  public static final String FEED =
      """
      surface: feed
      slate: { size: 3, candidates: { max: 20 } }
      context:
        - { name: country, type: category, values: [fi, se, no] }
        - { name: hour, type: number, min: 0, max: 23 }
        - { name: taste, type: vector, size: 2 }
      history: { signals: [watch_seconds], last: 4 }
      item:
        - { name: age_hours, type: number, min: 0 }
        - { name: fresh, type: flag }
      signals:
        - { name: watch_seconds, type: number, min: 0, max: 3600, window: 30m }
        - { name: like, type: flag, window: 24h }
      objective: { maximize: watch_seconds, discount: 0.9 }
      exploration: { temperature: 1.0, uniform: 0.02, min-propensity: 0.001 }
      deadline: 10s
      """;

  private Fixtures() {}

  public static Surface feed() {
    try {
      return new SurfaceReader().parse("feed.yaml", FEED.getBytes(StandardCharsets.UTF_8));
    } catch (InvalidSurfaceException e) {
      throw new IllegalStateException(e);
    }
  }

  public static Surfaces surfaces() {
    return new Surfaces(List.of(feed()));
  }

  /** The settings of these keys, with the defaults of all others. */
  public static ServingConfig config(Map<String, String> keys) {
    return new SmallRyeConfigBuilder()
        .addDiscoveredConverters()
        .withMapping(ServingConfig.class)
        .withSources(new PropertiesConfigSource(keys, "test", 100))
        .build()
        .getConfigMapping(ServingConfig.class);
  }
}
