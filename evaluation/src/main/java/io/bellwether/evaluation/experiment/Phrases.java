package io.bellwether.evaluation.experiment;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/** Numbers as sentences show them, in no locale. */
final class Phrases {
  static final double HOUR_MILLIS = 3_600_000;
  private static final double DAY_HOURS = 24;
  private static final double LEAST_CHANCE = 0.0001;

  private Phrases() {}

  /** A declared number with up to six significant digits and no zeros at its end. */
  static String declared(double value) {
    return BigDecimal.valueOf(value).round(new MathContext(6)).stripTrailingZeros().toPlainString();
  }

  /** A measured number with up to four significant digits and no zeros at its end. */
  static String number(double value) {
    return BigDecimal.valueOf(value).round(new MathContext(4)).stripTrailingZeros().toPlainString();
  }

  static String number(Figure figure) {
    return figure instanceof Figure.Known known
        ? number(known.value())
        : "unknown (" + ((Figure.Unknown) figure).reason() + ")";
  }

  /** A p-value, of which nobody needs to know how far it is below one in ten thousand. */
  static String chance(double p) {
    return p < LEAST_CHANCE ? "below " + declared(LEAST_CHANCE) : number(p);
  }

  static String chance(Figure p) {
    return p instanceof Figure.Known known ? chance(known.value()) : number(p);
  }

  /** Without its sign. */
  static String magnitude(Figure figure) {
    return figure instanceof Figure.Known known ? number(Math.abs(known.value())) : number(figure);
  }

  /** A share in percent, with up to three significant digits. */
  static String percent(double share) {
    return BigDecimal.valueOf(100 * share)
            .round(new MathContext(3))
            .stripTrailingZeros()
            .toPlainString()
        + " %";
  }

  /** A change in percent with its sign. */
  static String change(double share) {
    return String.format(Locale.ROOT, "%+.2f %%", 100 * share);
  }

  /** A difference with its sign. */
  static String difference(double value) {
    return (value < 0 ? "-" : "+") + number(Math.abs(value));
  }

  static String count(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  /** A length of time: days from two days on, minutes below an hour, seconds below two minutes. */
  static String hours(double hours) {
    if (hours >= 2 * DAY_HOURS) {
      return String.format(Locale.ROOT, "%.1f days", hours / DAY_HOURS);
    }
    if (hours >= 1) {
      return String.format(Locale.ROOT, "%.1f hours", hours);
    }
    double seconds = hours * HOUR_MILLIS / 1000;
    return seconds >= 120
        ? String.format(Locale.ROOT, "%.1f minutes", seconds / 60)
        : String.format(Locale.ROOT, "%.0f s", seconds);
  }
}
