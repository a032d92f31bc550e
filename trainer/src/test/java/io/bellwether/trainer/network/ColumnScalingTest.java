package io.bellwether.trainer.network;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class ColumnScalingTest {
  private static final List<Column> COLUMNS =
      List.of(
          new Column.Number("five, give or take two"),
          new Column.Flag("flag"),
          new Column.Category("category", 4),
          new Column.Number("constant"));

  private static final float[] ROWS = {
    3, 1, 2, 1e5f,
    7, 0, 3, 1e5f,
    900, 1, 1, 1e5f
  };

  @Test
  void numbersAreStandardisedFlagsPassAndConstantsVanish() {
    ColumnScaling scaling = ColumnScaling.measure(COLUMNS, ROWS, row -> row < 2);
    assertArrayEquals(new float[] {5, 0, 0, 0}, scaling.shift());
    assertArrayEquals(new float[] {0.5f, 1, 0, 0}, scaling.scale());
  }

  @Test
  void withoutAnyUsedRowNumbersVanish() {
    ColumnScaling scaling = ColumnScaling.measure(COLUMNS, ROWS, row -> false);
    assertArrayEquals(new float[] {0, 1, 0, 0}, scaling.scale());
  }
}
