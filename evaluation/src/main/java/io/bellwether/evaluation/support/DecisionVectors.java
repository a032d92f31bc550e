package io.bellwether.evaluation.support;

import java.util.Arrays;

/**
 * One decision with the probabilities of all its candidates. Mutable, made to be reused, confined
 * to one thread:
 *
 * <pre>{@code
 * vectors.begin(decision, logger, epochDay);
 * for (...) vectors.candidate(index.numberOf(item), logging, target);
 * vectors.shown(at, propensity);
 * accumulator.add(vectors);
 * }</pre>
 *
 * <p>Of a slate, these are the candidates of the first position: later positions are chosen among
 * what the earlier ones left, so that their vectors are conditional and do not add up.
 */
public final class DecisionVectors {
  /** {@link #shown} of an item that is none of the candidates. */
  public static final int NO_CANDIDATE = -1;

  private static final int FIRST_CAPACITY = 64;

  long decision;
  int logger;
  int day;
  int size;
  int[] action = new int[FIRST_CAPACITY];
  double[] logging = new double[FIRST_CAPACITY];
  double[] target = new double[FIRST_CAPACITY];
  int shown;
  double propensity;
  int draws;

  /**
   * Starts over.
   *
   * @param decision a number that leads back to the decision; named in findings
   * @param logger number of the policy version that decided
   * @param day days since 1970-01-01 UTC
   */
  public DecisionVectors begin(long decision, int logger, int day) {
    this.decision = decision;
    this.logger = logger;
    this.day = day;
    size = 0;
    shown = NO_CANDIDATE;
    propensity = 0;
    draws = 0;
    return this;
  }

  /**
   * Adds the next candidate.
   *
   * @param action the item's number in the {@link ActionIndex}
   * @param logging chance that the logging policy gave it
   * @param target chance that the target policy gives it
   */
  public DecisionVectors candidate(int action, double logging, double target) {
    if (size == this.action.length) {
      this.action = Arrays.copyOf(this.action, 2 * size);
      this.logging = Arrays.copyOf(this.logging, 2 * size);
      this.target = Arrays.copyOf(this.target, 2 * size);
    }
    this.action[size] = action;
    this.logging[size] = logging;
    this.target[size] = target;
    size++;
    return this;
  }

  /**
   * Says what was shown.
   *
   * @param candidate 0-based among the candidates, or {@link #NO_CANDIDATE}
   * @param propensity as it was logged with the decision
   */
  public DecisionVectors shown(int candidate, double propensity) {
    this.shown = candidate;
    this.propensity = propensity;
    return this;
  }

  /** Says that the logging chances are shares of that many random draws, not exact numbers. */
  public DecisionVectors drawn(int times) {
    draws = times;
    return this;
  }
}
