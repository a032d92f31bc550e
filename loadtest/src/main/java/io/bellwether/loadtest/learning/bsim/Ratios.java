package io.bellwether.loadtest.learning.bsim;

import io.bellwether.loadtest.people.Estimate;
import java.util.List;

/**
 * What a policy is truly worth as multiples of the logging policy: 1 is as much. Immutable.
 *
 * @param signals in the order of {@link SimulatedFeatures#SIGNALS}, each with its error over
 *     sessions
 * @param length of sessions
 * @param worstHate hate in the quarter of the sessions with the most of it
 */
public record Ratios(List<Estimate> signals, double length, double worstHate) {
  /** Every good reaction is kept up to this share of the logging policy's. */
  public static final double LEAST = 0.97;

  /** Hate grows at most to this share. */
  public static final double MOST_HATE = 1.05;

  /** The score of the constrained reference C* on the test sessions of the kuairand profile. */
  public static final double REFERENCE_SCORE = 2.138;

  private static final double PENALTY = 5;

  public Ratios {
    signals = List.copyOf(signals);
    if (signals.size() != SimulatedFeatures.SIGNALS.size()) {
      throw new IllegalArgumentException(signals.size() + " ratios");
    }
  }

  public Estimate watch() {
    return signals.get(0);
  }

  /** Click, like, follow, comment and forward: what a policy has to keep. */
  public List<Estimate> kept() {
    return signals.subList(1, signals.size() - 1);
  }

  public Estimate hate() {
    return signals.get(signals.size() - 1);
  }

  /**
   * Watching, less five times what is missing from every promise: 1 for the logging policy, {@value
   * #REFERENCE_SCORE} for the constrained reference.
   */
  public double score() {
    return watch().mean() - PENALTY * broken();
  }

  /** The score with the logging policy at 0 and the constrained reference at 1. */
  public double normalised() {
    return normalised(score());
  }

  /** Any score with the logging policy at 0 and the constrained reference at 1. */
  public static double normalised(double score) {
    return (score - 1) / (REFERENCE_SCORE - 1);
  }

  /** What is missing from all promises together, in shares of the logging policy; 0 where kept. */
  public double broken() {
    double missing = Math.max(0, hate().mean() - MOST_HATE);
    for (Estimate each : kept()) {
      missing += Math.max(0, LEAST - each.mean());
    }
    return missing;
  }

  /** Whether every promise is kept. */
  public boolean isKept() {
    return broken() == 0;
  }

  /** Whether every promise is kept with 95 % confidence over sessions. */
  public boolean isSafelyKept() {
    return hate().high() <= MOST_HATE && kept().stream().allMatch(each -> each.low() >= LEAST);
  }
}
