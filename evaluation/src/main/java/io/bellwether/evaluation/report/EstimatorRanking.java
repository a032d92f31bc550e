package io.bellwether.evaluation.report;

import java.util.List;

/**
 * Which estimator would have been closest on pseudo-evaluations made of this very log. Advisory:
 * the estimator that decides is fixed beforehand.
 *
 * @param selected the one with the smallest error, or empty
 * @param splits how many pseudo-evaluations were made
 * @param ranked best first
 * @param reason why there is no ranking, or empty
 */
public record EstimatorRanking(
    String signal, String selected, int splits, List<Ranked> ranked, String reason) {

  /** An estimator's mean squared error over the pseudo-evaluations. */
  public record Ranked(String estimator, double meanSquaredError) {}

  public EstimatorRanking {
    ranked = List.copyOf(ranked);
  }

  static EstimatorRanking none(String signal, String reason) {
    return new EstimatorRanking(signal, "", 0, List.of(), reason);
  }
}
