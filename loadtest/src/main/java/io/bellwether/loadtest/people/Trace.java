package io.bellwether.loadtest.people;

/**
 * What a product remembers of one session's past: a decaying mean of something that it could see
 * itself, {@code m ← keep·m + (1 - keep)·value} after every decision, 0 at the start.
 */
public enum Trace {
  /** Share of the video that was watched, 0 to 1. */
  WATCH(0.8),
  CLICK(0.9),
  LIKE(0.9),
  FOLLOW(0.9),
  COMMENT(0.9),
  FORWARD(0.9),
  HATE(0.9),
  /** Visible taste times topic of the video that was shown. */
  MATCH(0.9),
  /** Estimated quality of the video that was shown. */
  QUALITY(0.9),
  /** Estimated bait of the video that was shown. */
  BAIT(0.8),
  /** By how much the video was more like those before it than 0.5. */
  SAMENESS(0.8);

  static final int COUNT = 11;

  private final double keep;

  Trace(double keep) {
    this.keep = keep;
  }

  /** The mean after one more decision. */
  double after(double mean, double value) {
    return keep * mean + (1 - keep) * value;
  }
}
