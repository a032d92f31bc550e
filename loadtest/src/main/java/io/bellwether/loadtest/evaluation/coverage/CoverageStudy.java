package io.bellwether.loadtest.evaluation.coverage;

/** Logs of one kind and size, and the intervals to count on each. Thread-safe. */
interface CoverageStudy {
  String name();

  /** Of each log; subjects where these decide more than once. */
  int decisions();

  /** Draws the log of a seed and counts its intervals. */
  void measure(long seed, IntervalTally tally);
}
