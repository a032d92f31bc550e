package io.bellwether.loadtest.experiment;

import java.util.List;
import java.util.OptionalDouble;

/**
 * What one run of planted rollouts came to. Immutable.
 *
 * @param outcomes one per planted policy
 * @param ages how often the age of the numbers was looked at
 * @param ageMedian seconds
 * @param ageP99 seconds
 * @param decisions of all people
 * @param seconds during which they came
 */
public record LiveResult(
    List<PlantedOutcome> outcomes,
    long ages,
    double ageMedian,
    double ageP99,
    long decisions,
    double seconds) {

  public LiveResult {
    outcomes = List.copyOf(outcomes);
  }

  /** Share of the good policies that were shipped without a hand. */
  public double goodShipped() {
    return share(true);
  }

  /** Share of the bad policies that were taken back without a hand. */
  public double badRolledBack() {
    return share(false);
  }

  private double share(boolean good) {
    List<PlantedOutcome> those =
        outcomes.stream().filter(each -> each.policy().isGood() == good).toList();
    return (double) those.stream().filter(PlantedOutcome::isRight).count() / those.size();
  }

  /** Exposed decisions over the theoretical minimum, the mean over bad policies taken back. */
  public OptionalDouble exposedOverMinimum() {
    return outcomes.stream()
        .filter(each -> !each.policy().isGood() && each.isRight() && each.minimum() > 0)
        .mapToDouble(each -> each.exposed() / each.minimum())
        .average();
  }
}
