package io.bellwether.evaluation.report;

import io.bellwether.evaluation.interval.Normal;
import io.bellwether.evaluation.interval.Simultaneous;

/**
 * The error probability of a verdict, shared between the objective and the promises so that all
 * their bounds hold together.
 *
 * @param objective chance that its one bound that decides is wrong
 * @param perSide chance that a promise's interval misses on one side
 */
record SharedAlpha(double objective, double perSide) {

  /**
   * The shares under a plan: alpha / (1 + C) each (Bonferroni), 1 − (1 − alpha)^{1/(1+C)} each
   * (Šidák), or the tails beyond the critical value of the largest of the contrasts' |t|. The last
   * is for normal limits at one look; where a contrast has other bounds, or no value, it is
   * Bonferroni that holds.
   */
  static SharedAlpha of(EvaluationPlan plan, Contrasts contrasts) {
    double each = plan.alphaEach();
    return switch (plan.simultaneous()) {
      case BONFERRONI -> new SharedAlpha(each, each / 2);
      case SIDAK -> {
        double share = 1 - Math.pow(1 - plan.alpha(), 1.0 / (1 + plan.constraints().size()));
        yield new SharedAlpha(share, share / 2);
      }
      case MAX_T -> {
        boolean normal =
            !plan.constraints().isEmpty()
                && plan.looks() instanceof Looks.Once
                && contrasts.contrasts().stream()
                    .allMatch(contrast -> contrasts.estimation().isNormal(contrast.signal()));
        yield normal
            ? contrasts
                .covariances()
                .map(covariances -> ofLargest(plan, covariances))
                .orElseGet(() -> new SharedAlpha(each, each / 2))
            : new SharedAlpha(each, each / 2);
      }
    };
  }

  private static SharedAlpha ofLargest(EvaluationPlan plan, double[][] covariances) {
    double critical = Simultaneous.MAX_T.critical(1 - plan.alpha(), covariances, plan.seed());
    double tail = Normal.cumulative(-critical);
    return new SharedAlpha(tail, tail);
  }
}
