package io.bellwether.evaluation.experiment;

import io.bellwether.evaluation.experiment.EffectOutcome.Reason;
import io.bellwether.evaluation.experiment.EffectOutcome.Undefined;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The effect on a metric that follows from means and covariances of units' totals.
 *
 * @param covariates empty for none; the first must be counted, others may
 */
record MomentEffect(Linear metric, List<String> covariates) {

  /** Neither of them empty, and with the same columns. */
  EffectOutcome between(Moments control, Moments treatment) {
    if (!counted(control) || !counted(treatment)) {
      return without(Reason.NOT_COUNTED, control, treatment);
    }
    if (!control.finite() || !treatment.finite()) {
      return without(Reason.NOT_FINITE, control, treatment);
    }
    OptionalDouble first = metric.value(control);
    OptionalDouble second = metric.value(treatment);
    if (first.isEmpty() || second.isEmpty()) {
      return Effect.undefined(
          Reason.ZERO_DENOMINATOR,
          Side.withoutError(control.units(), first),
          Side.withoutError(treatment.units(), second));
    }
    return covariates.isEmpty() ? plain(control, treatment) : adjusted(control, treatment);
  }

  private EffectOutcome plain(Moments control, Moments treatment) {
    return Effect.between(side(control), side(treatment));
  }

  private EffectOutcome adjusted(Moments control, Moments treatment) {
    if (Math.min(control.units(), treatment.units()) < covariates.size() + 2) {
      return plain(control, treatment);
    }
    Covariates.Slopes slopes = new Covariates(covariates).slopes(metric, control, treatment);
    double shift = 0;
    for (int column = 0; column < slopes.theta().length; column++) {
      shift += slopes.theta()[column] * (treatment.mean(column) - control.mean(column));
    }
    double controlShare = (double) control.units() / (control.units() + treatment.units());
    double first = metric.value(control).orElseThrow();
    double second = metric.value(treatment).orElseThrow();
    double[] influence = metric.influence(control);
    double[] scaled = influence.clone();
    for (int column = 0; column < scaled.length; column++) {
      scaled[column] *= second / first;
    }
    return Effect.between(
        Side.of(
            control.units(),
            first + (1 - controlShare) * shift,
            squaredError(control, influence, slopes)),
        Side.of(
            treatment.units(),
            second - controlShare * shift,
            squaredError(treatment, metric.influence(treatment), slopes)),
        new Baseline(
            first,
            control.varianceOf(influence) / control.units(),
            squaredError(control, scaled, slopes)));
  }

  /** One slope is taken for known, as GrowthBook does; several cost a degree of freedom each. */
  private static double squaredError(
      Moments moments, double[] influence, Covariates.Slopes slopes) {
    double lost = slopes.used() > 1 ? slopes.used() : 0;
    return moments.varianceOf(slopes.adjusted(influence))
        * (moments.units() - 1)
        / (moments.units() - 1 - lost)
        / moments.units();
  }

  private Side side(Moments moments) {
    long units = moments.units();
    OptionalDouble value = metric.value(moments);
    if (units < 2) {
      return Side.withoutError(units, value);
    }
    double variance = moments.varianceOf(metric.influence(moments)) * metric.varianceFactor(units);
    return Side.ofMean(units, value.orElseThrow(), variance);
  }

  private boolean counted(Moments moments) {
    return moments.columns().containsAll(metric.columns())
        && (covariates.isEmpty() || moments.has(covariates.get(0)));
  }

  private static EffectOutcome without(Reason reason, Moments control, Moments treatment) {
    OptionalDouble none = OptionalDouble.empty();
    return new Undefined(reason, none, none, control.units(), treatment.units());
  }
}
