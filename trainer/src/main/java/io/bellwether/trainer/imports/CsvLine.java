package io.bellwether.trainer.imports;

import java.util.ArrayList;
import java.util.List;

/** Lines of comma-separated files that quote nothing. */
final class CsvLine {

  private CsvLine() {}

  /**
   * The fields of a line.
   *
   * @throws UnreadableLine when a quote shows that the line means something else
   */
  static List<String> split(String line) throws UnreadableLine {
    if (line.indexOf('"') >= 0) {
      throw new UnreadableLine("has a quote; fields must not be quoted");
    }
    List<String> fields = new ArrayList<>();
    int start = 0;
    for (int comma = line.indexOf(','); comma >= 0; comma = line.indexOf(',', start)) {
      fields.add(line.substring(start, comma));
      start = comma + 1;
    }
    fields.add(line.substring(start));
    return fields;
  }

  /** A field that must be a finite number. */
  static double number(String column, String text) throws UnreadableLine {
    double value;
    try {
      value = Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new UnreadableLine(column + " is '" + text + "', must be a number");
    }
    if (!Double.isFinite(value)) {
      throw new UnreadableLine(column + " is '" + text + "', must be a finite number");
    }
    return value;
  }

  /** A field that must be a whole number from {@code min} to {@code max}. */
  static int integer(String column, String text, int min, int max) throws UnreadableLine {
    try {
      int value = Integer.parseInt(text);
      if (value >= min && value <= max) {
        return value;
      }
    } catch (NumberFormatException e) {
      // said below, with what would be right
    }
    throw new UnreadableLine(
        column + " is '" + text + "', must be a whole number from " + min + " to " + max);
  }
}
