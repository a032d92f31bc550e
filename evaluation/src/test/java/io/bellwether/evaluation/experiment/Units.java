package io.bellwether.evaluation.experiment;

import io.bellwether.evaluation.Golden;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Samples of two variants from units that are known one by one. */
final class Units {
  private Units() {}

  /** The units of a golden table whose column {@code arm} has that number. */
  static VariantSample golden(String file, int arm) {
    Golden.Table table = Golden.csv(file);
    double[] arms = table.column("arm");
    int[] rows = IntStream.range(0, arms.length).filter(row -> arms[row] == arm).toArray();
    Map<String, double[]> columns = new HashMap<>();
    table.columns().forEach((name, values) -> columns.put(named(name), picked(values, rows)));
    return sample("arm " + arm, columns);
  }

  /** One unit per index of the columns, with the distribution of each. */
  static VariantSample sample(String variant, Map<String, double[]> columns) {
    SortedMap<String, double[]> sorted = new TreeMap<>(columns);
    double[][] totals = sorted.values().toArray(double[][]::new);
    UnitSums sums = new UnitSums(List.copyOf(sorted.keySet()));
    for (int unit = 0; unit < totals[0].length; unit++) {
      int row = unit;
      sums.add(Arrays.stream(totals).mapToDouble(column -> column[row]).toArray());
    }
    Map<String, Distribution> distributions = new HashMap<>();
    columns.forEach((name, values) -> distributions.put(name, Distribution.of(values)));
    return new VariantSample(variant, sums.moments(), distributions, Health.none(), 0, 0, Map.of());
  }

  private static String named(String column) {
    return switch (column) {
      case "pre" -> "pre:post";
      case "converted" -> "converted:any";
      default -> column;
    };
  }

  private static double[] picked(double[] values, int[] rows) {
    return IntStream.of(rows).mapToDouble(row -> values[row]).toArray();
  }
}
