package io.bellwether.ingestion.metrics;

import java.util.Arrays;

/**
 * A subject's newest decisions, for covariates: state of {@link MeasureUnits}, public so that Flink
 * serializes it as a record. Immutable by convention: nobody changes the arrays. In the order of
 * time, the oldest first.
 *
 * @param ids hashes of decision ids
 * @param decidedAtMicros microseconds since the epoch
 * @param met by which kinds of exposure each was met: {@link #SHOWN}, {@link #SHADOW}
 * @param totals {@code [decisions, signals]}, over all positions
 */
public record Past(long[] ids, long[] decidedAtMicros, byte[] met, double[] totals) {

  static final byte SHOWN = 1;
  static final byte SHADOW = 2;
  static final Past NONE = new Past(new long[0], new long[0], new byte[0], new double[0]);

  private static final long MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;

  static long hash(String decisionId) {
    long hash = decisionId.length();
    for (int i = 0; i < decisionId.length(); i++) {
      hash = (hash ^ decisionId.charAt(i)) * MULTIPLIER;
      hash ^= hash >>> 32;
    }
    return hash;
  }

  int size() {
    return ids.length;
  }

  /** Its place, or {@code -(place where it belongs) - 1}. */
  int find(long id, long decidedAt) {
    int low = 0;
    int high = ids.length - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = Long.compare(decidedAtMicros[middle], decidedAt);
      order = order == 0 ? Long.compare(ids[middle], id) : order;
      if (order == 0) {
        return middle;
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -low - 1;
  }

  double[] totalsOf(int row, int signals) {
    return Arrays.copyOfRange(totals, row * signals, (row + 1) * signals);
  }

  /** With one more decision, without the oldest where that makes more than {@code most}. */
  Past with(int row, long id, long decidedAt, byte kinds, double[] values, int most) {
    int from = ids.length < most ? 0 : 1;
    if (row < from) {
      return this; // It is older than all that are kept.
    }
    int size = ids.length + 1 - from;
    int width = values.length;
    long[] newIds = new long[size];
    long[] times = new long[size];
    byte[] kindsMet = new byte[size];
    double[] all = new double[size * width];
    int place = row - from;
    System.arraycopy(ids, from, newIds, 0, place);
    System.arraycopy(ids, row, newIds, place + 1, ids.length - row);
    System.arraycopy(decidedAtMicros, from, times, 0, place);
    System.arraycopy(decidedAtMicros, row, times, place + 1, ids.length - row);
    System.arraycopy(met, from, kindsMet, 0, place);
    System.arraycopy(met, row, kindsMet, place + 1, ids.length - row);
    System.arraycopy(totals, from * width, all, 0, place * width);
    System.arraycopy(totals, row * width, all, (place + 1) * width, (ids.length - row) * width);
    newIds[place] = id;
    times[place] = decidedAt;
    kindsMet[place] = kinds;
    System.arraycopy(values, 0, all, place * width, width);
    return new Past(newIds, times, kindsMet, all);
  }

  /** Without what was decided before that time. */
  Past since(long micros, int signals) {
    int from = 0;
    while (from < ids.length && decidedAtMicros[from] < micros) {
      from++;
    }
    return new Past(
        Arrays.copyOfRange(ids, from, ids.length),
        Arrays.copyOfRange(decidedAtMicros, from, ids.length),
        Arrays.copyOfRange(met, from, ids.length),
        Arrays.copyOfRange(totals, from * signals, totals.length));
  }

  /** When the surface has other signals now. */
  Past relaid(SignalsChange change) {
    double[] relaid = new double[ids.length * change.size()];
    for (int row = 0; row < ids.length; row++) {
      double[] values = change.apply(totalsOf(row, change.olderSize()));
      System.arraycopy(values, 0, relaid, row * change.size(), change.size());
    }
    return new Past(ids, decidedAtMicros, met, relaid);
  }
}
