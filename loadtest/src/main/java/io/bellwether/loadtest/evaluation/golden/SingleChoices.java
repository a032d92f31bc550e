package io.bellwether.loadtest.evaluation.golden;

import io.bellwether.evaluation.interval.Interval;
import io.bellwether.evaluation.offpolicy.DecisionColumns;
import io.bellwether.evaluation.offpolicy.DecisionRow;
import io.bellwether.evaluation.offpolicy.DirectMethod;
import io.bellwether.evaluation.offpolicy.Estimate;
import io.bellwether.evaluation.offpolicy.Estimator;
import io.bellwether.evaluation.offpolicy.Influence;
import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import io.bellwether.evaluation.offpolicy.Weighting;
import io.bellwether.loadtest.evaluation.synthetic.Choices;

/** A log of single choices with one signal, and its reward under the target policy. */
record SingleChoices(LoggedDecisions log, DecisionColumns columns) {

  static SingleChoices of(LoggedDecisions.Builder builder) {
    LoggedDecisions log = builder.build();
    return new SingleChoices(log, log.underTarget(Choices.REWARD, Weighting.PREFIX));
  }

  Estimate estimate(Estimator estimator) {
    return influence(estimator).estimate(log.units());
  }

  double value(Estimator estimator) {
    return influence(estimator).value();
  }

  private Influence influence(Estimator estimator) {
    return Influence.of(estimator, columns).orElseThrow();
  }

  /** 95 %. */
  static Interval normal(Estimate estimate) {
    return Interval.normal(estimate.point().orElseThrow(), estimate.error().orElseThrow(), 0.95);
  }

  /**
   * What each decision adds to the value, as the reference writes it: the normaliser of a
   * self-normalised estimator is held fixed, which is its influence plus its share of the value.
   */
  double[] rows(Estimator estimator) {
    double[] rows = new double[log.decisions()];
    double weighted = estimator.normalizes() ? normalised(estimator) : 0;
    double centre = estimator.normalizes() ? value(estimator) - weighted : value(estimator);
    double meanWeight = estimator.normalizes() ? meanWeight(estimator) : 1;
    influence(estimator).forEachUnit(log.units(), (unit, count, psi) -> rows[unit] = psi + centre);
    columns.forEach(
        (decision, row) -> rows[decision] += weighted * estimator.weight(row, 0) / meanWeight);
    return rows;
  }

  /** The part of the value that is divided by the mean weight; the model's part is not. */
  private double normalised(Estimator estimator) {
    return estimator.usesModel() ? value(estimator) - value(new DirectMethod()) : value(estimator);
  }

  private double meanWeight(Estimator estimator) {
    return columns
            .reduce(
                () -> new double[1],
                (sum, decision, row) -> sum[0] += weightOf(estimator, row),
                (left, right) -> new double[] {left[0] + right[0]})[0]
        / log.decisions();
  }

  private static double weightOf(Estimator estimator, DecisionRow row) {
    return estimator.weight(row, 0);
  }
}
