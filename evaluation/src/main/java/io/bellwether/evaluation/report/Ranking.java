package io.bellwether.evaluation.report;

import io.bellwether.evaluation.offpolicy.Estimator;
import io.bellwether.evaluation.offpolicy.Weighting;
import io.bellwether.evaluation.tuning.EstimatorChoice;
import java.util.List;

/** Which estimator would have been closest on pseudo-evaluations made of the log. Advisory. */
record Ranking(Estimation estimation) {
  private static final int SPLITS = EstimatorChoice.LEAST_SPLITS;

  /** A split of fewer decisions leaves nothing to evaluate on. */
  private static final int LEAST_DECISIONS = 100;

  EstimatorRanking of(String signal, List<Shown> shown) {
    Shown weighted = Roster.withoutParameter("snips").orElseThrow();
    if (estimation.log().decisions() < LEAST_DECISIONS) {
      return EstimatorRanking.none(signal, "FEW_DECISIONS");
    }
    if (estimation.refusal(weighted, signal).isPresent()) {
      return EstimatorRanking.none(signal, estimation.refusal(weighted, signal).orElseThrow());
    }
    List<Estimator> candidates =
        shown.stream()
            .filter(each -> each.weighting() == Weighting.PREFIX)
            .filter(each -> estimation.refusal(each, signal).isEmpty())
            .map(Shown::estimator)
            .toList();
    EstimatorChoice choice =
        EstimatorChoice.of(
            candidates,
            estimation.target(signal, Weighting.PREFIX),
            SPLITS,
            estimation.plan().seed());
    return new EstimatorRanking(
        signal,
        choice.selected().map(Estimator::name).orElse(""),
        choice.splits(),
        choice.ranked().stream()
            .map(
                each ->
                    new EstimatorRanking.Ranked(each.estimator().name(), each.meanSquaredError()))
            .toList(),
        choice.reason());
  }
}
