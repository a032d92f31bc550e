package io.bellwether.policy.scoring;

/**
 * How a surface explores: slates are drawn from {@code (1 - e) softmax(logits / temperature) + e /
 * M} over {@code M} candidates, where {@code e} is {@code uniform}, raised where the floor asks for
 * it. Immutable.
 *
 * @param temperature divides the logits; finite and positive, 1 leaves them as they are
 * @param uniform share of the uniform distribution, in [0, 1]
 * @param minPropensity least chance of a candidate at a position, in [1e-9, 1]; where {@code M}
 *     candidates cannot all have it, each gets {@code 1 / M}
 */
public record Exploration(double temperature, double uniform, double minPropensity) {

  /** Below it an importance weight says nothing, and a sum of weights loses its last digits. */
  private static final double LEAST_FLOOR = 1e-9;

  public Exploration {
    if (!(temperature > 0) || Double.isInfinite(temperature)) {
      throw new IllegalArgumentException(
          "temperature is " + temperature + ", expected a finite number above 0");
    }
    if (!(uniform >= 0 && uniform <= 1)) {
      throw new IllegalArgumentException("uniform is " + uniform + ", expected it in [0, 1]");
    }
    if (!(minPropensity >= LEAST_FLOOR && minPropensity <= 1)) {
      throw new IllegalArgumentException(
          "min-propensity is " + minPropensity + ", expected it in [" + LEAST_FLOOR + ", 1]");
    }
  }

  /**
   * The exploration of a logged decision, for its replay: the share that was used already holds
   * what the floor asked for.
   */
  public static Exploration asUsed(double temperature, double uniform) {
    return new Exploration(temperature, uniform, LEAST_FLOOR);
  }

  /** The uniform share as used with this many candidates: high enough for the floor. */
  public double uniformFor(int candidates) {
    return Math.min(1, Math.max(uniform, candidates * minPropensity));
  }
}
