package io.bellwether.ingestion.feature;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.bellwether.ingestion.surface.Surface;
import io.bellwether.ingestion.surface.SurfaceReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class SubjectHistoryTest {

  private static final String YAML =
      """
      surface: feed
      slate: { size: 1 }
      history: { signals: [like], last: 3 }
      item: [ { name: age, type: number } ]
      signals: [ { name: like, type: flag, window: 1h } ]
      objective: { maximize: like }
      """;

  private final FeatureLayout layout = layout(YAML);

  @Test
  void theNewestRowIsLastAndPaddingFirst() {
    SubjectHistory history =
        new SubjectHistory(List.of(entry(2_000_000, "b", 5, 1), entry(1_000_000, "a", 4, 0)));
    float[] rows = new float[3 * layout.historyWidth()];

    history.encode(layout, 3_000_000, rows, 0);

    assertArrayEquals(
        new float[] {
          0, 0, 0, 0, 0, //
          1, (float) Math.log1p(2), 4, 1, 0, //
          1, (float) Math.log1p(1), 5, 1, 1
        },
        rows);
  }

  @Test
  void whatHappenedAtOrAfterTheDecisionIsLeftOut() {
    SubjectHistory history =
        new SubjectHistory(List.of(entry(1_000_000, "a", 4, 0), entry(2_000_000, "b", 5, 1)));
    float[] rows = new float[3 * layout.historyWidth()];

    history.encode(layout, 2_000_000, rows, 0);

    assertEquals(4, rows[2 * layout.historyWidth() + 2]);
    assertEquals(0, rows[layout.historyWidth()]);
  }

  @Test
  void bytesReadBackAsTheSameRows() {
    SubjectHistory history =
        new SubjectHistory(List.of(entry(1_000_000, "a", 4, 0), entry(2_000_000, "b", 5, 1)));
    SubjectHistory read = SubjectHistory.fromBytes(history.toBytes(layout), layout);

    float[] expected = new float[3 * layout.historyWidth()];
    float[] rows = new float[3 * layout.historyWidth()];
    history.encode(layout, 9_000_000, expected, 0);
    read.encode(layout, 9_000_000, rows, 0);
    assertArrayEquals(expected, rows);
  }

  @Test
  void bytesOfAnotherLayoutAndGarbageReadAsEmpty() {
    FeatureLayout other = layout(YAML.replace("age", "price"));
    byte[] bytes = new SubjectHistory(List.of(entry(1, "a", 4, 0))).toBytes(layout);

    assertNotEquals(layout.digest(), other.digest());
    assertSame(SubjectHistory.EMPTY, SubjectHistory.fromBytes(bytes, other));
    assertSame(SubjectHistory.EMPTY, SubjectHistory.fromBytes(new byte[] {1, 2, 3}, layout));
    bytes[13] = 100;
    assertSame(SubjectHistory.EMPTY, SubjectHistory.fromBytes(bytes, layout));
  }

  private static SubjectHistory.Entry entry(long at, String id, float age, float like) {
    return new SubjectHistory.Entry(at, id, new float[] {age, 1}, new float[] {like});
  }

  private static FeatureLayout layout(String yaml) {
    try {
      Surface surface =
          new SurfaceReader().parse("test.yaml", yaml.getBytes(StandardCharsets.UTF_8));
      return FeatureLayout.of(surface);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
