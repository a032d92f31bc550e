package io.bellwether.trainer.report;

import java.util.ArrayList;
import java.util.List;

/**
 * Where values stand in a drawing: {@code least} at {@code from}, {@code most} at {@code to}.
 *
 * @param least below {@code most}
 */
record Axis(double least, double most, double from, double to) {

  Axis {
    if (!(least < most) || Double.isInfinite(most - least)) {
      throw new IllegalArgumentException("no axis from " + least + " to " + most);
    }
  }

  /** Holds both values with some room; also where they are equal. */
  static Axis around(double least, double most, double from, double to) {
    double span = most > least ? most - least : Math.max(Math.abs(most), 1e-3);
    return new Axis(least - 0.06 * span, most + 0.06 * span, from, to);
  }

  double at(double value) {
    double inside = Math.max(least, Math.min(most, value));
    return from + (inside - least) / (most - least) * (to - from);
  }

  /** Three to six round values. */
  List<Double> ticks() {
    double step = Math.pow(10, Math.floor(Math.log10((most - least) / 2)));
    double[] factors = {1, 2, 2.5, 5, 10};
    double chosen = step;
    for (double factor : factors) {
      chosen = factor * step;
      if ((most - least) / chosen <= 5) {
        break;
      }
    }
    List<Double> ticks = new ArrayList<>();
    for (double k = Math.ceil(least / chosen); k * chosen <= most; k++) {
      ticks.add(k * chosen);
    }
    return ticks;
  }
}
