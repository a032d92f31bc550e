package io.bellwether.trainer.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;

/** Numbers and dates as people read them: four significant digits, in no locale. */
final class Figures {

  /** Where a number is missing. */
  static final String NONE = "–";

  /** Between these, whole numbers with their thousands apart are easier to read than powers. */
  private static final double PLAIN_FROM = 9999.5;

  private static final double PLAIN_TO = 1e12;

  private Figures() {}

  /** A measured number with at least four significant digits and no zeros after its last one. */
  static String number(double value) {
    if (value == 0) {
      return "0";
    }
    double size = Math.abs(value);
    if (size >= PLAIN_FROM && size < PLAIN_TO) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    String text = String.format(Locale.ROOT, "%.4g", value);
    int exponent = text.indexOf('e');
    String digits = exponent < 0 ? text : text.substring(0, exponent);
    if (digits.indexOf('.') >= 0) {
      digits = digits.replaceAll("0+$", "").replaceAll("\\.$", "");
    }
    return exponent < 0 ? digits : digits + text.substring(exponent);
  }

  /** The same of a JSON number; a dash where it is null or missing. */
  static String number(JsonNode value) {
    return value.isNumber() ? number(value.doubleValue()) : NONE;
  }

  /** With its sign, also where it is positive. */
  static String signed(double value) {
    return (value > 0 ? "+" : "") + number(value);
  }

  /** A whole number with its thousands apart. */
  static String count(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  /** The same of a JSON number; a dash where it is null or missing. */
  static String count(JsonNode value) {
    return value.isNumber() ? count(value.longValue()) : NONE;
  }

  /** A share as a percentage with one decimal. */
  static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }

  /** A machine's word for people: {@code NOT_NEEDED} is "not needed". */
  static String words(String code) {
    return code.toLowerCase(Locale.ROOT).replace('_', ' ').replace('-', ' ');
  }
}
