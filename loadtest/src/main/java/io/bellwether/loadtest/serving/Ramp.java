package io.bellwether.loadtest.serving;

import java.util.ArrayList;
import java.util.List;

/**
 * Finds the highest rate that a service sustains: up to twice as much until it does not keep up
 * twice in a row, then into the middle of what is left, a few times. One object makes one ramp.
 */
final class Ramp {
  private static final double FACTOR = 2;
  private static final int TRIES = 2;

  /** After an overload this share of it is offered, so that no step tells of the one before. */
  private static final double RELIEF = 0.25;

  private static final int HALVINGS = 3;
  private static final double HIGHEST_PER_SECOND = 200_000;

  private final Offer offer;
  private final List<Step> steps = new ArrayList<>();

  /** Offers a rate for a while. */
  interface Offer {
    LoadReport at(double perSecond) throws Exception;
  }

  /**
   * What a rate did.
   *
   * @param offeredPerSecond that was asked for
   * @param answeredPerSecond with 2xx
   * @param p99Millis from when requests were due
   * @param sustained whether the service kept up
   */
  record Step(
      double offeredPerSecond, double answeredPerSecond, double p99Millis, boolean sustained) {}

  Ramp(Offer offer) {
    this.offer = offer;
  }

  /**
   * Runs the ramp.
   *
   * @param from where to begin, requests per second
   * @return the highest rate that was sustained; where none was, what was answered at the first
   */
  double highest(double from) throws Exception {
    double kept = 0;
    double lost = from;
    while (lost < HIGHEST_PER_SECOND && sustainedOnce(lost)) {
      kept = lost;
      lost *= FACTOR;
    }
    if (kept == 0) {
      return steps.get(steps.size() - 1).answeredPerSecond();
    }
    for (int i = 0; i < HALVINGS; i++) {
      double middle = Math.sqrt(kept * lost);
      if (sustained(middle)) {
        kept = middle;
      } else {
        lost = middle;
      }
    }
    return kept;
  }

  /** All that was tried, in order. */
  List<Step> steps() {
    return List.copyOf(steps);
  }

  /** A single hiccup does not end the ramp. */
  private boolean sustainedOnce(double perSecond) throws Exception {
    for (int i = 0; i < TRIES; i++) {
      if (sustained(perSecond)) {
        return true;
      }
    }
    return false;
  }

  private boolean sustained(double perSecond) throws Exception {
    LoadReport report = offer.at(perSecond);
    steps.add(
        new Step(perSecond, report.perSecond(), report.latency().millis(99), report.sustained()));
    if (!report.sustained()) {
      var unused = offer.at(RELIEF * perSecond);
    }
    return report.sustained();
  }
}
