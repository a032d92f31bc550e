package io.bellwether.evaluation.support;

import io.bellwether.evaluation.interval.ChiSquare;
import io.bellwether.evaluation.interval.Interval;
import java.time.LocalDate;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One day of one version of the logging policy, against all days of the same version: a version
 * that changes is not one policy, whatever its name.
 *
 * @param day UTC
 * @param meanWeight 1 in expectation
 * @param standardError of the mean weight; 0 of a single decision, where nobody knows it
 * @param loggerDecisions of all the version's days
 * @param actions how many different actions the version chose among
 * @param totalVariation ½ Σ|share − all days' share| over actions, in [0, 1]
 * @param stabilityIndex population stability index: Σ(s − r)·ln(s/r) of the day's action shares s
 *     and the all days' shares r, each as (count + ½)/(decisions + actions/2)
 */
public record LoggerDay(
    String logger,
    LocalDate day,
    long decisions,
    double meanWeight,
    double standardError,
    long loggerDecisions,
    int actions,
    double totalVariation,
    double stabilityIndex,
    double unexplainedIndex) {
  private static final double LEVEL = 0.95;
  private static final double WARN_STABILITY = 0.1;
  private static final double MAX_STABILITY = 0.25;

  /** Days are many and days are short: their shares differ by chance, and by how much is known. */
  private static final double CHANCE = 1e-3;

  /** 95 % normal interval of the mean weight; none of a single decision. */
  public Optional<Interval> meanWeightInterval() {
    return decisions < 2
        ? Optional.empty()
        : Optional.of(Interval.normal(meanWeight, standardError, LEVEL));
  }

  /**
   * Probability of at least this stability index if the day's decisions were a random part of the
   * version's: {@code index / (1/n − 1/N)} against χ² with actions − 1 degrees of freedom. Empty
   * where there is no other day or no other action.
   */
  public OptionalDouble chance() {
    if (decisions >= loggerDecisions || actions < 2) {
      return OptionalDouble.empty();
    }
    double scale = 1.0 / decisions - 1.0 / loggerDecisions;
    return OptionalDouble.of(ChiSquare.survival(stabilityIndex / scale, actions - 1));
  }

  /** Whether the day's actions differ more than they should, and more than chance explains. */
  public boolean warns() {
    return stabilityIndex > WARN_STABILITY && chance().orElse(1) < CHANCE;
  }

  /** Whether they differ so much that this was another policy. */
  public boolean refuses() {
    return stabilityIndex > MAX_STABILITY && chance().orElse(1) < CHANCE;
  }

  /**
   * Whether the day's own propensities account for its actions. Then not the policy changed but its
   * contexts or candidates did, or it changed and says so: weights are right, and only an average
   * over all days hides something.
   */
  public boolean isExplained() {
    return unexplainedIndex <= WARN_STABILITY
        || actions < 2
        || ChiSquare.survival(unexplainedIndex * decisions, actions - 1) >= CHANCE;
  }
}
