package io.bellwether.evaluation.experiment;

import io.bellwether.evaluation.Golden;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
    List<String> names = columns.keySet().stream().sorted().toList();
    UnitSums sums = new UnitSums(names);
    int units = columns.get(names.get(0)).length;
    for (int unit = 0; unit < units; unit++) {
      int row = unit;
      sums.add(names.stream().mapToDouble(name -> columns.get(name)[row]).toArray());
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
