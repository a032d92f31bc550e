package io.bellwether.evaluation.report;

import java.util.Locale;

/** Numbers as sentences of a report show them: four significant digits, a point, no locale. */
final class Words {
  private Words() {}

  static String number(double value) {
    return String.format(Locale.ROOT, "%.4g", value);
  }
}
