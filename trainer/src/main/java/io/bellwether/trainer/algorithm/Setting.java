package io.bellwether.trainer.algorithm;

import java.math.BigDecimal;
import java.math.MathContext;

/**
 * A number that an algorithm may be given. Immutable.
 *
 * @param name in commands and manifests
 * @param summary what it does, in a line
 * @param usual what holds where nobody says otherwise
 * @param low smallest value; the next one the largest
 * @param scale how values are spread over the range
 */
public record Setting(
    String name, String summary, double usual, double low, double high, Scale scale) {

  /** How a search looks through a range. */
  public enum Scale {
    /** Equal steps. */
    LINEAR,
    /** Equal factors. */
    LOGARITHMIC,
    /** Whole numbers only. */
    WHOLE
  }

  public Setting {
    if (!name.matches("[a-z][a-z0-9-]*")) {
      throw new IllegalArgumentException("'" + name + "' is no name of a setting");
    }
    if (!(low <= usual && usual <= high && low < high) || Double.isInfinite(high - low)) {
      throw new IllegalArgumentException(
          "%s: %s is not between %s and %s".formatted(name, usual, low, high));
    }
    if (scale == Scale.LOGARITHMIC && !(low > 0)) {
      throw new IllegalArgumentException(name + " has factors, and so begins above 0");
    }
    if (scale == Scale.WHOLE && !(isWhole(usual) && isWhole(low) && isWhole(high))) {
      throw new IllegalArgumentException(name + " is a whole number");
    }
  }

  /** On a linear scale. */
  public static Setting linear(String name, String summary, double usual, double low, double high) {
    return new Setting(name, summary, usual, low, high, Scale.LINEAR);
  }

  /** On a logarithmic scale. */
  public static Setting logarithmic(
      String name, String summary, double usual, double low, double high) {
    return new Setting(name, summary, usual, low, high, Scale.LOGARITHMIC);
  }

  /** A whole number. */
  public static Setting whole(String name, String summary, int usual, int low, int high) {
    return new Setting(name, summary, usual, low, high, Scale.WHOLE);
  }

  /**
   * The value, if it may be one.
   *
   * @throws IllegalArgumentException naming the range, if it may not
   */
  public double checked(double value) {
    if (!(value >= low && value <= high) || (scale == Scale.WHOLE && !isWhole(value))) {
      throw new IllegalArgumentException(
          "%s=%s is out of range: it is a %s from %s to %s"
              .formatted(
                  name,
                  value,
                  scale == Scale.WHOLE ? "whole number" : "number",
                  text(low),
                  text(high)));
    }
    return value;
  }

  /** The value at a share of the range, in [0, 1); on its scale, with three digits. */
  public double at(double share) {
    double value =
        switch (scale) {
          case LINEAR -> low + share * (high - low);
          case LOGARITHMIC -> low * Math.pow(high / low, share);
          case WHOLE -> Math.floor(low + share * (high - low + 1));
        };
    double rounded = scale == Scale.WHOLE ? value : threeDigits(value);
    return Math.min(high, Math.max(low, rounded));
  }

  /** The number with three digits. */
  public static double threeDigits(double value) {
    return new BigDecimal(value).round(new MathContext(3)).doubleValue();
  }

  private static boolean isWhole(double value) {
    return value == Math.rint(value);
  }

  /** A number as commands and manifests have it: nothing is lost, and nothing is too much. */
  public static String text(double value) {
    return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
  }
}
