package io.bellwether.evaluation.report;

import io.bellwether.evaluation.interval.Interval;

/** An interval, or the machine-readable reason why there is none. */
public sealed interface Bounds {

  record Within(Interval interval) implements Bounds {}

  record Absent(String reason) implements Bounds {}

  /** Whether the value is known to be at least this. */
  default boolean isAtLeast(double limit) {
    return this instanceof Within within && within.interval.lower() >= limit;
  }

  /** Whether the value is known to be below this. */
  default boolean isBelow(double limit) {
    return this instanceof Within within && within.interval.upper() < limit;
  }

  default String words() {
    return this instanceof Within within
        ? "[%s, %s]"
            .formatted(Words.number(within.interval.lower()), Words.number(within.interval.upper()))
        : "none (" + ((Absent) this).reason + ")";
  }
}
