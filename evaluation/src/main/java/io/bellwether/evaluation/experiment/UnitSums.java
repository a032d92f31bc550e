package io.bellwether.evaluation.experiment;

import io.bellwether.evaluation.CompensatedSums;
import java.util.List;

/**
 * Running {@link Moments}: one {@link #add} per unit with its final totals, compensated. Confined
 * to one thread; parts are joined with {@link Moments#plus}.
 */
public final class UnitSums {
  private final List<String> columns;
  private final CompensatedSums sums;
  private final CompensatedSums products;
  private long units;

  public UnitSums(List<String> columns) {
    this.columns = List.copyOf(columns);
    int count = columns.size();
    sums = new CompensatedSums(count);
    products = new CompensatedSums(count * (count + 1) / 2);
  }

  /**
   * Takes one unit in.
   *
   * @param totals [columns]
   */
  public void add(double... totals) {
    if (totals.length != sums.size()) {
      throw new IllegalArgumentException(
          "%d totals of columns %s".formatted(totals.length, columns));
    }
    units++;
    int cell = 0;
    for (int row = 0; row < totals.length; row++) {
      sums.add(row, totals[row]);
      for (int column = 0; column <= row; column++) {
        products.add(cell++, totals[row] * totals[column]);
      }
    }
  }

  public Moments moments() {
    return new Moments(columns, units, values(sums), values(products));
  }

  private static double[] values(CompensatedSums sums) {
    double[] values = new double[sums.size()];
    for (int index = 0; index < values.length; index++) {
      values[index] = sums.get(index);
    }
    return values;
  }
}
