package io.bellwether.evaluation.tuning;

import io.bellwether.evaluation.offpolicy.DecisionColumns;
import io.bellwether.evaluation.offpolicy.Estimator;
import io.bellwether.evaluation.offpolicy.RejectionSplit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Which estimator came closest on pseudo-evaluations made of the log itself. Advisory: it ranks on
 * this log's rows and says nothing about a bias that both parts of a split share, such as wrong
 * propensities.
 *
 * @param ranked the estimators with a value in every split, the smallest error first
 * @param splits how many pseudo-evaluations were made
 * @param seed of the splits
 * @param share of the log that served as the yardstick, on average
 * @param mismatch mean absolute difference between the splits' weights and the real ones, which are
 *     1 on average
 * @param reason why nothing is ranked, or empty
 */
public record EstimatorChoice(
    List<Ranked> ranked, int splits, long seed, double share, double mismatch, String reason) {
  /** The fewest splits that a ranking rests on. */
  public static final int LEAST_SPLITS = 20;

  static final String NO_SPLIT = "NO_SPLIT_RESEMBLES_THE_TASK";
  static final String NOTHING_TO_RANK = "NO_ESTIMATOR_DEFINED_IN_EVERY_SPLIT";

  public EstimatorChoice {
    ranked = List.copyOf(ranked);
  }

  /**
   * One estimator's record over the splits.
   *
   * @param meanSquaredError against the yardstick, whose own noise is in it and the same for all
   * @param standardError of the mean squared error, splits taken as independent
   * @param meanError estimate minus yardstick, on average
   */
  public record Ranked(
      Estimator estimator, double meanSquaredError, double standardError, double meanError) {}

  /**
   * Ranks estimators that suit the log; those whose weights a split cannot know are left out.
   *
   * @param splits at least {@link #LEAST_SPLITS}
   */
  public static EstimatorChoice of(
      List<Estimator> estimators, DecisionColumns columns, int splits, long seed) {
    if (splits < LEAST_SPLITS) {
      throw new IllegalArgumentException(
          "a choice rests on at least %d splits, found %d".formatted(LEAST_SPLITS, splits));
    }
    Optional<RejectionSplit> fitted = RejectionSplit.fit(columns);
    if (fitted.isEmpty()) {
      return new EstimatorChoice(List.of(), 0, seed, 0, 0, NO_SPLIT);
    }
    RejectionSplit split = fitted.get();
    int positions = columns.positions();
    List<Estimator> suitable =
        estimators.stream()
            .filter(RejectionSplit::suits)
            .filter(estimator -> estimator.suits(positions))
            .toList();
    List<Ranked> ranked = new ArrayList<>();
    for (RejectionSplit.Trial trial : split.trials(suitable, columns, splits, seed)) {
      if (trial.defined()) {
        ranked.add(ranked(trial));
      }
    }
    ranked.sort(Comparator.comparingDouble(Ranked::meanSquaredError));
    return new EstimatorChoice(
        ranked,
        splits,
        seed,
        split.share(),
        split.mismatch(),
        ranked.isEmpty() ? NOTHING_TO_RANK : "");
  }

  /** The one with the smallest error. */
  public Optional<Estimator> selected() {
    return ranked.stream().findFirst().map(Ranked::estimator);
  }

  private static Ranked ranked(RejectionSplit.Trial trial) {
    int splits = trial.values().length;
    double sum = 0;
    double squares = 0;
    for (int split = 0; split < splits; split++) {
      double error = trial.values()[split] - trial.truths()[split];
      sum += error;
      squares += error * error;
    }
    double mean = squares / splits;
    double spread = 0;
    for (int split = 0; split < splits; split++) {
      double error = trial.values()[split] - trial.truths()[split];
      spread += (error * error - mean) * (error * error - mean);
    }
    double standardError = Math.sqrt(spread / (splits - 1) / splits);
    return new Ranked(trial.estimator(), mean, standardError, sum / splits);
  }
}
