package io.bellwether.loadtest.evaluation.golden;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;

/** A folder of reference numbers: JSON files that name their source, CSV files with inputs. */
record GoldenFolder(Path folder) {

  /** Columns of a CSV file by name, all of one length. */
  record Table(Map<String, double[]> columns) {

    double[] column(String name) {
      double[] column = columns.get(name);
      if (column == null) {
        throw new IllegalArgumentException("no column " + name + " among " + columns.keySet());
      }
      return column;
    }

    /** {@code width} columns that differ in a number from {@code from} on, as {@code [row][]}. */
    double[][] matrix(String prefix, int from, int width) {
      double[][] rows = new double[column(prefix + from).length][width];
      for (int at = 0; at < width; at++) {
        double[] column = column(prefix + (from + at));
        for (int row = 0; row < rows.length; row++) {
          rows[row][at] = column[row];
        }
      }
      return rows;
    }
  }

  JsonNode json(String file) {
    try {
      return new ObjectMapper().readTree(folder.resolve(file).toFile());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + folder.resolve(file), e);
    }
  }

  Table csv(String file) {
    try {
      List<String[]> lines =
          Files.readAllLines(folder.resolve(file)).stream()
              .map(line -> line.split(",", -1))
              .toList();
      String[] names = lines.get(0);
      return new Table(
          IntStream.range(0, names.length)
              .boxed()
              .collect(
                  Collectors.toMap(
                      at -> names[at],
                      at ->
                          lines.stream()
                              .skip(1)
                              .mapToDouble(line -> Double.parseDouble(line[at]))
                              .toArray())));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + folder.resolve(file), e);
    }
  }

  static double[] doubles(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false)
        .mapToDouble(JsonNode::doubleValue)
        .toArray();
  }

  static int[] integers(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).mapToInt(JsonNode::intValue).toArray();
  }

  static double[][] matrix(JsonNode rows) {
    return StreamSupport.stream(rows.spliterator(), false)
        .map(GoldenFolder::doubles)
        .toArray(double[][]::new);
  }
}
