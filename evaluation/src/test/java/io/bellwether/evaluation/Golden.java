package io.bellwether.evaluation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Reference numbers from {@code src/test/resources/golden}; each JSON file names its source. */
public final class Golden {
  private Golden() {}

  public static JsonNode json(String file) {
    try (InputStream in = open(file)) {
      return new ObjectMapper().readTree(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Columns of equal length. */
  public record Table(Map<String, double[]> columns) {

    public double[] column(String name) {
      return Objects.requireNonNull(columns.get(name), name);
    }
  }

  public static Table csv(String file) {
    try (InputStream in = open(file)) {
      List<String> lines = new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
      String[] names = lines.get(0).split(",", -1);
      Map<String, double[]> columns = new LinkedHashMap<>();
      for (int column = 0; column < names.length; column++) {
        double[] values = new double[lines.size() - 1];
        for (int row = 0; row < values.length; row++) {
          values[row] = Double.parseDouble(lines.get(row + 1).split(",", -1)[column]);
        }
        columns.put(names[column], values);
      }
      return new Table(columns);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static double[] doubles(JsonNode array) {
    List<Double> values = new ArrayList<>();
    array.forEach(value -> values.add(value.doubleValue()));
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }

  public static double[][] matrix(JsonNode rows) {
    List<double[]> values = new ArrayList<>();
    rows.forEach(row -> values.add(doubles(row)));
    return values.toArray(double[][]::new);
  }

  /** The absolute tolerance that is 1e-9 of a golden number. */
  public static double closed(double expected) {
    return Math.max(1e-12, 1e-9 * Math.abs(expected));
  }

  private static InputStream open(String file) {
    return Objects.requireNonNull(Golden.class.getResourceAsStream("/golden/" + file), file);
  }
}
