package io.bellwether.ingestion.metrics;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A decision of which more may become known: state of {@link MeasureUnits}, public so that Flink
 * serializes it as a record. Immutable by convention: nobody changes the arrays.
 *
 * @param decidedAtMicros microseconds since the epoch
 * @param releaseAtMillis event time from which nothing new is expected
 * @param signals of each value, its signal's place in the surface
 * @param positions of each value, its item's position; -1 for the slate as a whole
 * @param met the exposures through it
 */
public record Recent(
    long decidedAtMicros,
    long releaseAtMillis,
    int[] signals,
    int[] positions,
    double[] values,
    List<Met> met) {

  private static final int WHOLE_SLATE = -1;
  private static final int[] NONE = {};
  private static final double[] NO_VALUES = {};

  /** One of which nothing is known yet. */
  static Recent fresh(long decidedAtMicros, long releaseAtMillis) {
    return new Recent(decidedAtMicros, releaseAtMillis, NONE, NONE, NO_VALUES, List.of());
  }

  Recent with(DecisionValues now) {
    return new Recent(
        decidedAtMicros, releaseAtMillis, now.signals(), now.positions(), now.values(), met);
  }

  /** With the values that it had when it was let go. */
  Recent with(double[] totals) {
    int[] all = new int[totals.length];
    int[] whole = new int[totals.length];
    for (int signal = 0; signal < totals.length; signal++) {
      all[signal] = signal;
      whole[signal] = WHOLE_SLATE;
    }
    return new Recent(decidedAtMicros, releaseAtMillis, all, whole, totals, met);
  }

  Recent with(Met exposure) {
    List<Met> more = new ArrayList<>(met);
    more.add(exposure);
    return new Recent(decidedAtMicros, releaseAtMillis, signals, positions, values, more);
  }

  /** When the surface has other signals now. */
  Recent relaid(SignalsChange change) {
    int kept = 0;
    int[] keptSignals = new int[signals.length];
    int[] keptPositions = new int[signals.length];
    double[] keptValues = new double[signals.length];
    for (int i = 0; i < signals.length; i++) {
      int place = change.placeOf(signals[i]);
      if (place >= 0) {
        keptSignals[kept] = place;
        keptPositions[kept] = positions[i];
        keptValues[kept++] = values[i];
      }
    }
    return new Recent(
        decidedAtMicros,
        releaseAtMillis,
        Arrays.copyOf(keptSignals, kept),
        Arrays.copyOf(keptPositions, kept),
        Arrays.copyOf(keptValues, kept),
        met);
  }

  boolean knows(Met exposure) {
    return met.stream().anyMatch(exposure::same);
  }

  /** Per signal, over all positions and the slate as a whole. */
  double[] totals(int size) {
    double[] totals = new double[size];
    for (int i = 0; i < values.length; i++) {
      totals[signals[i]] += values[i];
    }
    return totals;
  }

  /** Per signal, what is for variant 1 less what is for variant 0. */
  double[] credits(int size, int[] teams) {
    double[] credits = new double[size];
    for (int i = 0; i < values.length; i++) {
      int position = positions[i];
      int team = position >= 0 && position < teams.length ? teams[position] : -1;
      if (team == 1) {
        credits[signals[i]] += values[i];
      } else if (team == 0) {
        credits[signals[i]] -= values[i];
      }
    }
    return credits;
  }
}
