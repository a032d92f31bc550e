package io.bellwether.trainer.search;

import io.bellwether.ingestion.event.Transition;
import io.bellwether.trainer.data.InvalidTrainingData;
import io.bellwether.trainer.data.TransitionSource;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;

/**
 * A log in two, by time.
 *
 * @param at the first time that belongs to the later part
 * @param end the first time after the last decision
 */
record TimeSplit(Instant at, Instant end) {

  /**
   * Reads a log once.
   *
   * @param laterShare share of the transitions that the later part has, in (0, 1), or a little more
   * @throws InvalidTrainingData where one of the parts would be empty
   */
  static TimeSplit of(TransitionSource source, String surface, double laterShare)
      throws IOException {
    Times times = new Times(surface);
    source.forEach(times::add);
    return times.split(laterShare);
  }

  private static final class Times {
    private final String surface;
    private long[] decidedMicros = new long[1024];
    private int count;

    Times(String surface) {
      this.surface = surface;
    }

    void add(Transition transition) {
      if (!transition.getDecision().getSurface().equals(surface)) {
        return;
      }
      if (count == decidedMicros.length) {
        decidedMicros = Arrays.copyOf(decidedMicros, 2 * count);
      }
      decidedMicros[count++] = transition.getDecision().getDecidedAtMicros();
    }

    TimeSplit split(double laterShare) {
      Arrays.sort(decidedMicros, 0, count);
      long at = count == 0 ? 0 : decidedMicros[(int) ((1 - laterShare) * count)];
      if (count == 0 || at == decidedMicros[0]) {
        throw new InvalidTrainingData(
            "%d transitions of surface %s cannot be split by time".formatted(count, surface));
      }
      return new TimeSplit(instant(at), instant(decidedMicros[count - 1] + 1));
    }

    private static Instant instant(long micros) {
      return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }
  }
}
