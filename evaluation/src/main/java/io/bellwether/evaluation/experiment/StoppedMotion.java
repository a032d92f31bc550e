package io.bellwether.evaluation.experiment;

import io.bellwether.evaluation.interval.Normal;

/**
 * Brownian motions from 0 that reach a look: those that at every earlier look lay within that
 * look's bounds. What a test statistic times the square root of its information does while an
 * experiment goes on.
 *
 * <p>Bounds are given on the scale of z = x/√time, on both sides. A drift θ is the mean of z at
 * time 1. Immutable.
 *
 * <p>Source: Armitage, McPherson and Rowe, "Repeated Significance Tests on Accumulating Data",
 * 1969: the density at a look is the density inside the bounds of the look before, spread by a
 * normal step. With a drift every density is the one without, times exp(θx − θ²t/2).
 */
final class StoppedMotion {
  /** No motion without drift gets that far, and with a drift of less than 4 none that matters. */
  private static final double FARTHEST = 12;

  /** Normal steps longer than this many standard deviations have no weight in double precision. */
  private static final double LONGEST_STEP = 9;

  /** In standard deviations of the shorter step: 16 nodes then leave errors below 1e-12. */
  private static final double PANEL = 3;

  private static final int MIN_PANELS = 16;

  /** 65,536 places. Enough for looks a millionth of the planned information apart. */
  private static final int MAX_PANELS = 4_096;

  private final double[] places;
  private final double[] chances;
  private final double earlier;
  private final double time;

  /** The motions lay at the places with the chances at the earlier time, the look before. */
  private StoppedMotion(double[] places, double[] chances, double earlier, double time) {
    this.places = places;
    this.chances = chances;
    this.earlier = earlier;
    this.time = time;
  }

  /** All of them, at the first look. */
  static StoppedMotion until(double time) {
    return new StoppedMotion(new double[1], new double[] {1}, 0, time);
  }

  /** The chance of reaching this look and lying above the bound there. */
  double above(double bound, double drift) {
    double edge = bound * Math.sqrt(time);
    double step = Math.sqrt(time - earlier);
    double moved = drift * (time - earlier);
    double sum = 0;
    for (int place = 0; place < places.length; place++) {
      double from = places[place];
      double leaves = Normal.cumulative((from + moved - edge) / step);
      sum += chances[place] * Math.exp(drift * (from - drift * earlier / 2)) * leaves;
    }
    return sum;
  }

  /** The chance of reaching this look without a drift and lying outside ±bound there. */
  double outside(double bound) {
    return 2 * above(bound, 0);
  }

  /** Those within ±bound at this look, at the next. */
  StoppedMotion within(double bound, double next) {
    double reach = Math.min(bound, FARTHEST) * Math.sqrt(time);
    double shorter = Math.sqrt(Math.min(time - earlier, next - time));
    double wanted = Math.ceil(2 * reach / (PANEL * shorter));
    int panels = (int) Math.max(MIN_PANELS, Math.min(MAX_PANELS, wanted));
    Quadrature inside = Quadrature.between(-reach, reach, panels);
    return new StoppedMotion(inside.nodes(), inside.weighted(this::density), time, next);
  }

  private double density(double x) {
    double step = Math.sqrt(time - earlier);
    double farthest = LONGEST_STEP * step;
    double sum = 0;
    for (int place = firstFrom(x - farthest);
        place < places.length && places[place] <= x + farthest;
        place++) {
      double z = (x - places[place]) / step;
      sum += chances[place] * Math.exp(-z * z / 2);
    }
    return sum / (step * Math.sqrt(2 * Math.PI));
  }

  private int firstFrom(double x) {
    int low = 0;
    int high = places.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (places[middle] < x) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
