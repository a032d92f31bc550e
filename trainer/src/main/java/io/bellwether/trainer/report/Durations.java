package io.bellwether.trainer.report;

import java.time.Duration;

/** Lengths of time as people say them. */
final class Durations {

  private Durations() {}

  /** In the largest unit that leaves nothing over. */
  static String words(Duration length) {
    long seconds = length.toSeconds();
    if (seconds == 0 || length.toMillis() % 1000 != 0) {
      return length.toMillis() + " ms";
    }
    if (seconds % 86_400 == 0) {
      return counted(seconds / 86_400, "day");
    }
    if (seconds % 3600 == 0) {
      return counted(seconds / 3600, "hour");
    }
    return seconds % 60 == 0 ? counted(seconds / 60, "minute") : counted(seconds, "second");
  }

  private static String counted(long count, String unit) {
    return count + " " + unit + (count == 1 ? "" : "s");
  }
}
