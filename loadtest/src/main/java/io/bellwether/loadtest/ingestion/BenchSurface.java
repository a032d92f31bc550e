package io.bellwether.loadtest.ingestion;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bellwether.ingestion.surface.InvalidSurfaceException;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.ingestion.surface.SurfaceReader;
import java.util.List;
import org.apache.flink.util.function.SerializableSupplier;

/** The declaration whose events are planned: windows of half a minute, sessions of ten seconds. */
final class BenchSurface implements SerializableSupplier<List<Surface>> {

  static final String NAME = "bench";
  static final List<String> ITEMS =
      List.of("i0", "i1", "i2", "i3", "i4", "i5", "i6", "i7", "i8", "i9");

  static final String YAML =
      """
      surface: bench
      slate: { size: 2, candidates: { max: 10 } }
      context:
        - { name: hour, type: number }
      item:
        - { name: embedding, type: vector, size: 8 }
      signals:
        - { name: seconds, type: number, min: 0, max: 1000, window: 30s }
        - { name: like, type: flag, window: 30s }
        - { name: longest, type: number, min: 0, max: 1000, window: 30s, aggregate: max }
      objective: { maximize: seconds, discount: 0.9 }
      exploration: { temperature: 1.0, uniform: 0.1, min-propensity: 0.001 }
      sessions: { gap: 10s }
      """;

  private static final long serialVersionUID = 1L;

  @Override
  public List<Surface> get() {
    return List.of(surface());
  }

  static Surface surface() {
    try {
      return new SurfaceReader().parse("bench.yaml", YAML.getBytes(UTF_8));
    } catch (InvalidSurfaceException e) {
      throw new IllegalStateException("the surface of the benchmark is wrong", e);
    }
  }
}
