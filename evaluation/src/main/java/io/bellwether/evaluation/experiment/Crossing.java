package io.bellwether.evaluation.experiment;

import java.util.ArrayList;
import java.util.List;

/**
 * A test at equally many units between its looks, as what a motion does that stops at the first
 * look outside the bounds. Immutable.
 *
 * @param motions that reach each look
 * @param bounds |z| to reach at each look, both sides
 */
record Crossing(List<StoppedMotion> motions, List<Double> bounds) {

  static Crossing of(double... bounds) {
    int looks = bounds.length;
    List<StoppedMotion> motions = new ArrayList<>();
    List<Double> listed = new ArrayList<>();
    StoppedMotion motion = StoppedMotion.until(1.0 / looks);
    for (int look = 0; look < looks; look++) {
      motions.add(motion);
      listed.add(bounds[look]);
      if (look + 1 < looks) {
        motion = motion.within(bounds[look], (look + 2.0) / looks);
      }
    }
    return new Crossing(List.copyOf(motions), List.copyOf(listed));
  }

  /**
   * That the motion ever stops above a bound, when z at the last look has the drift as its mean.
   */
  double chance(double drift) {
    double chance = 0;
    for (int look = 0; look < motions.size(); look++) {
      chance += motions.get(look).above(bounds.get(look), drift);
    }
    return chance;
  }
}
