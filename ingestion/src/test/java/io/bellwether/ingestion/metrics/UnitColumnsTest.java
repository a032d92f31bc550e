package io.bellwether.ingestion.metrics;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bellwether.ingestion.surface.Surface;
import io.bellwether.ingestion.surface.SurfaceReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnitColumnsTest {

  private static final String SURFACE =
      """
      surface: clips
      slate: { size: 2, candidates: { max: 4 } }
      context:
        - { name: hour, type: number }
      item:
        - { name: age, type: number }
      signals:
        - { name: seconds, type: number, min: 0, max: 100, window: 2s }
        - { name: like, type: flag, window: 1s }
      objective: { maximize: seconds, discount: 0 }
      exploration: { temperature: 1.0, uniform: 0.1, min-propensity: 0.001 }
      sessions: { gap: 3s }
      """;

  @Test
  void aUnitHasItsTotalsAndWhatWasKnownBefore() throws Exception {
    UnitColumns columns = UnitColumns.of(surface());

    assertEquals(
        List.of(
            "decisions",
            "seconds",
            "seconds:any",
            "like",
            "like:any",
            "pre:seen",
            "pre:decisions",
            "pre:seconds",
            "pre:like"),
        columns.names());
    assertArrayEquals(
        new double[] {3, 7.5, 1, 0, 0, 1, 4, 9, 2},
        columns.row(3, new double[] {7.5, 0}, new double[] {4, 9, 2}));
    assertEquals("like", columns.names().get(columns.total(1)));
  }

  @Test
  void aUnitOfInterleavedSlatesHasCredits() throws Exception {
    UnitColumns columns = UnitColumns.interleaved(surface());

    assertEquals(
        List.of(
            "decisions",
            "seconds:credit",
            "seconds:win",
            "seconds:loss",
            "like:credit",
            "like:win",
            "like:loss"),
        columns.names());
    assertArrayEquals(
        new double[] {3, -7.5, 0, 1, 2, 1, 0},
        columns.row(3, new double[] {-7.5, 2}, new double[3]));
    assertEquals("like:credit", columns.names().get(columns.total(1)));
  }

  @Test
  void whatIsLeftOfAValueThatWasTakenBackIsNothing() throws Exception {
    double[] row =
        UnitColumns.of(surface()).row(1, new double[] {0.1 + 0.2 - 0.3, 0}, new double[3]);

    assertArrayEquals(new double[] {1, 0, 0, 0, 0, 0, 0, 0, 0}, row);
  }

  private static Surface surface() throws Exception {
    return new SurfaceReader().parse("clips.yaml", SURFACE.getBytes(StandardCharsets.UTF_8));
  }
}
