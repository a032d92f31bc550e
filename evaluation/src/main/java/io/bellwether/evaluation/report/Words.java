package io.bellwether.evaluation.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/** Numbers as sentences of a report show them, in no locale. */
final class Words {
  private Words() {}

  /** A declared number with up to six significant digits and no zeros at its end. */
  static String declared(double value) {
    return BigDecimal.valueOf(value).round(new MathContext(6)).stripTrailingZeros().toPlainString();
  }

  /** A measured number with four significant digits. */
  static String number(double value) {
    return String.format(Locale.ROOT, "%.4g", value);
  }
}
