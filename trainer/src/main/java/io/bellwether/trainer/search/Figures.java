package io.bellwether.trainer.search;

import java.util.Locale;

/** Numbers for people. */
final class Figures {

  private Figures() {}

  static String number(double value) {
    return String.format(Locale.ROOT, "%.5g", value);
  }
}
