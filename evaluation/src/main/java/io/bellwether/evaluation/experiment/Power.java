package io.bellwether.evaluation.experiment;

import java.time.Duration;

/**
 * How many units a two-sided comparison of two variants needs, how long they take to come, and what
 * a number of them can show. Sizes are not rounded. Immutable; {@link #of} costs up to a second.
 */
public final class Power {
  private static final double LARGEST_DRIFT = 40;
  private static final double SECONDS_PER_DAY = 86_400;

  private final Crossing crossing;
  private final double drift;
  private final double driftOfOneLook;

  private Power(Crossing crossing, double drift, double driftOfOneLook) {
    this.crossing = crossing;
    this.drift = drift;
    this.driftOfOneLook = driftOfOneLook;
  }

  /**
   * A plan for an experiment.
   *
   * @param alpha chance of claiming a difference that is not there, both sides together
   * @param power chance of claiming one that is there by the planned end, above alpha
   */
  public static Power of(double alpha, double power, Monitoring monitoring) {
    if (!(alpha > 0 && alpha < 1) || !(power > alpha && power < 1)) {
      throw new IllegalArgumentException("alpha %s, power %s".formatted(alpha, power));
    }
    Crossing crossing = Crossing.of(monitoring.bounds(alpha));
    Crossing oneLook = Crossing.of(new Monitoring.Once().bounds(alpha));
    return new Power(crossing, drift(crossing, power), drift(oneLook, power));
  }

  /** In each of two variants of one size, for a difference other than 0 in the metric's unit. */
  public double unitsPerVariant(Spread spread, double difference) {
    return spread.sum() * square(drift / distance(difference));
  }

  /** The smallest difference that so many units in each of two variants show. */
  public double detectable(Spread spread, double unitsPerVariant) {
    return drift * standardError(spread, unitsPerVariant);
  }

  /** The chance that so many units in each of two variants show the difference. */
  public double powerOf(Spread spread, double difference, double unitsPerVariant) {
    double mean = distance(difference) / standardError(spread, unitsPerVariant);
    return mean >= LARGEST_DRIFT ? 1 : Math.min(1, crossing.chance(mean));
  }

  /** Units that it needs for each one that a single planned look would need, at least 1. */
  public double price() {
    return square(drift / driftOfOneLook);
  }

  /** Units of both variants together when the traffic is shared in this way. */
  public double units(Spread spread, double difference, Traffic traffic) {
    double both = traffic.controlShare() + traffic.treatmentShare();
    return both
        * (spread.control() / traffic.controlShare()
            + spread.treatment() / traffic.treatmentShare())
        * square(drift / distance(difference));
  }

  /** How long these take to come. */
  public Duration duration(Spread spread, double difference, Traffic traffic) {
    double both = traffic.controlShare() + traffic.treatmentShare();
    double days = units(spread, difference, traffic) / (traffic.unitsPerDay() * both);
    return Duration.ofSeconds((long) Math.ceil(days * SECONDS_PER_DAY));
  }

  private static double drift(Crossing crossing, double power) {
    return Root.of(mean -> crossing.chance(mean) - power, 0, LARGEST_DRIFT);
  }

  private static double standardError(Spread spread, double unitsPerVariant) {
    if (!(unitsPerVariant > 0)) {
      throw new IllegalArgumentException("no units: " + unitsPerVariant);
    }
    return Math.sqrt(spread.sum() / unitsPerVariant);
  }

  private static double distance(double difference) {
    double distance = Math.abs(difference);
    if (!(distance > 0 && distance < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("a difference other than 0, found " + difference);
    }
    return distance;
  }

  private static double square(double value) {
    return value * value;
  }
}
