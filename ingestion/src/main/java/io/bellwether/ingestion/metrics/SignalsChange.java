package io.bellwether.ingestion.metrics;

import java.util.List;

/**
 * What a new declaration of a surface's signals means to numbers that are kept per signal: those of
 * a signal that is declared no more are let go, and those of a new one start at 0. Immutable.
 *
 * @param olderSize how many signals there were
 * @param older of each signal of today its place among those, or -1
 */
record SignalsChange(int olderSize, int[] older) {

  static SignalsChange between(List<String> before, List<String> now) {
    return new SignalsChange(before.size(), now.stream().mapToInt(before::indexOf).toArray());
  }

  int size() {
    return older.length;
  }

  /** Where an older signal is now, or -1. */
  int placeOf(int olderPlace) {
    for (int place = 0; place < older.length; place++) {
      if (older[place] == olderPlace) {
        return place;
      }
    }
    return -1;
  }

  /**
   * Numbers in the order of today.
   *
   * @param values per older signal, after {@code values.length - olderSize} that are of none
   */
  double[] apply(double[] values) {
    int of = values.length - olderSize;
    double[] applied = new double[of + older.length];
    System.arraycopy(values, 0, applied, 0, of);
    for (int place = 0; place < older.length; place++) {
      applied[of + place] = older[place] < 0 ? 0 : values[of + older[place]];
    }
    return applied;
  }
}
