package io.bellwether.trainer.imports;

import java.util.regex.Pattern;

/** Numbers in texts of other people's logs. */
public final class DecimalText {

  private static final Pattern FORM =
      Pattern.compile("[-+]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)?");

  private DecimalText() {}

  /**
   * The number that a text is, written as JSON and C write them, with a point in every locale; NaN
   * where it is none. Java alone would also take {@code 23f}, {@code 0x1p3} and {@code NaN}.
   */
  public static double value(String text) {
    return FORM.matcher(text).matches() ? Double.parseDouble(text) : Double.NaN;
  }
}
