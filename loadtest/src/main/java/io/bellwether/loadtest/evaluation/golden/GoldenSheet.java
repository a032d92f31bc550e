package io.bellwether.loadtest.evaluation.golden;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.evaluation.interval.Interval;
import io.bellwether.evaluation.offpolicy.Estimate;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/**
 * One golden file's numbers, each beside what we compute. A number is named by its JSON pointer and
 * is read from the file itself, so that nothing of it stands in code. A computation that fails is a
 * row that is not equal, with the reason. Confined to one thread.
 */
final class GoldenSheet {
  /** For closed forms. */
  private static final double CLOSED = 1e-9;

  /** Numbers this small are differences of larger ones. */
  private static final double SMALLEST = 1e-12;

  private final String file;
  private final JsonNode content;
  private final List<GoldenRow> rows = new ArrayList<>();

  GoldenSheet(GoldenFolder folder, String file) {
    this.file = file;
    this.content = folder.json(file);
  }

  JsonNode at(String path) {
    JsonNode node = content.at(path);
    if (node.isMissingNode()) {
      throw new IllegalArgumentException(file + " has no " + path);
    }
    return node;
  }

  double number(String path) {
    return value(at(path));
  }

  double[] doubles(String path) {
    return GoldenFolder.doubles(at(path));
  }

  double[][] matrix(String path) {
    return GoldenFolder.matrix(at(path));
  }

  List<GoldenRow> rows() {
    return List.copyOf(rows);
  }

  /** A number by a closed form. */
  void equal(String path, DoubleSupplier found) {
    double expected = number(path);
    add(path, expected, Math.max(SMALLEST, CLOSED * Math.abs(expected)), found);
  }

  void within(double tolerance, String path, DoubleSupplier found) {
    add(path, number(path), tolerance, found);
  }

  /** An array of numbers by closed forms, a row each. */
  void equalAll(String path, Supplier<double[]> found) {
    all(path, found, expected -> Math.max(SMALLEST, CLOSED * Math.abs(expected)));
  }

  void allWithin(double tolerance, String path, Supplier<double[]> found) {
    all(path, found, expected -> tolerance);
  }

  /** A difference that has to vanish; it has a name in place of a path. */
  void zero(double tolerance, String name, DoubleSupplier difference) {
    add(name, 0, tolerance, difference);
  }

  /** {@code value} and {@code se} below a path. */
  void estimate(String path, Supplier<Estimate> found) {
    equal(path + "/value", () -> found.get().point().orElseThrow());
    equal(path + "/se", () -> found.get().error().orElseThrow());
  }

  /** Lower and upper end. */
  void interval(String path, Supplier<Interval> found) {
    equalAll(path, () -> new double[] {found.get().lower(), found.get().upper()});
  }

  private interface Tolerance {
    double of(double expected);
  }

  private void all(String path, Supplier<double[]> found, Tolerance tolerance) {
    double[] expected = doubles(path);
    double[] values = new double[0];
    String reason = "";
    try {
      values = found.get();
    } catch (RuntimeException e) {
      reason = e.toString();
    }
    for (int at = 0; at < expected.length; at++) {
      OptionalDouble value =
          at < values.length ? OptionalDouble.of(values[at]) : OptionalDouble.empty();
      rows.add(
          new GoldenRow(
              file, path + "/" + at, expected[at], value, tolerance.of(expected[at]), reason));
    }
  }

  private void add(String path, double expected, double tolerance, DoubleSupplier found) {
    OptionalDouble value = OptionalDouble.empty();
    String reason = "";
    try {
      value = OptionalDouble.of(found.getAsDouble());
    } catch (RuntimeException e) {
      reason = e.toString();
    }
    rows.add(new GoldenRow(file, path, expected, value, tolerance, reason));
  }

  /** Infinite numbers are texts in these files. */
  static double value(JsonNode node) {
    return node.isTextual() ? Double.parseDouble(node.textValue()) : node.doubleValue();
  }
}
