package io.bellwether.evaluation.experiment;

/** Which way a metric gets better. */
public enum Direction {
  UP(1),
  DOWN(-1);

  private final int sign;

  Direction(int sign) {
    this.sign = sign;
  }

  /** The difference, turned so that larger is better. */
  public double oriented(double difference) {
    return sign * difference;
  }
}
