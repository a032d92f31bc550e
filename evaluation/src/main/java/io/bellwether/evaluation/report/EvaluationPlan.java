package io.bellwether.evaluation.report;

import io.bellwether.evaluation.offpolicy.DirectMethod;
import io.bellwether.evaluation.offpolicy.DoublyRobust;
import io.bellwether.evaluation.offpolicy.Estimator;
import io.bellwether.evaluation.offpolicy.Ips;
import io.bellwether.evaluation.offpolicy.SelfNormalizedDoublyRobust;
import io.bellwether.evaluation.offpolicy.ShrunkDoublyRobust;
import io.bellwether.evaluation.offpolicy.Snips;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a report has to decide, fixed before anybody looks at the data.
 *
 * <p>The error probability {@code alpha} is shared equally (Bonferroni) between the objective and
 * the constraints, 1 + C in all: the objective has a one-sided bound at alpha/(1+C), each
 * constraint a two-sided interval at alpha/(1+C) in total.
 *
 * @param ranges declared range of a signal on one row; without one there are no bounds for it where
 *     the effective sample size is small or events are few
 * @param primary the estimator that decides; where the reward model's columns are missing for the
 *     target or the champion, self-normalised IPS decides for both
 * @param estimators what is shown
 * @param detectableLift the share of the baseline's value for which "rows needed" is computed
 */
public record EvaluationPlan(
    Objective objective,
    List<Constraint> constraints,
    double alpha,
    Limits limits,
    Map<String, Range> ranges,
    Looks looks,
    Estimator primary,
    List<Estimator> estimators,
    double detectableLift) {

  public EvaluationPlan {
    constraints = List.copyOf(constraints);
    ranges = Map.copyOf(ranges);
    estimators = List.copyOf(estimators);
    if (!(alpha > 0 && alpha < 0.5)) {
      throw new IllegalArgumentException("alpha lies in (0, 0.5), found " + alpha);
    }
    if (!(detectableLift > 0)) {
      throw new IllegalArgumentException("a lift to detect is above 0, found " + detectableLift);
    }
    if (!DECIDES.contains(primary)) {
      throw new IllegalArgumentException(
          "the primary estimator is one of %s, found %s".formatted(DECIDES, primary));
    }
  }

  /** Neither the direct method nor a clipped or shrunk estimator ever decides. */
  private static final List<Estimator> DECIDES =
      List.of(new SelfNormalizedDoublyRobust(), new DoublyRobust(), new Snips(), new Ips());

  /** The defaults: alpha 0.05, no constraint, one look, self-normalised doubly robust. */
  public static EvaluationPlan of(Objective objective) {
    return new EvaluationPlan(
        objective,
        List.of(),
        0.05,
        Limits.defaults(),
        Map.of(),
        new Looks.Once(),
        new SelfNormalizedDoublyRobust(),
        List.of(
            new Ips(),
            new Snips(),
            new DirectMethod(),
            new DoublyRobust(),
            new SelfNormalizedDoublyRobust(),
            new ShrunkDoublyRobust(25)),
        0.1);
  }

  public EvaluationPlan withConstraints(List<Constraint> promises) {
    return new EvaluationPlan(
        objective, promises, alpha, limits, ranges, looks, primary, estimators, detectableLift);
  }

  public EvaluationPlan withAlpha(double probability) {
    return new EvaluationPlan(
        objective,
        constraints,
        probability,
        limits,
        ranges,
        looks,
        primary,
        estimators,
        detectableLift);
  }

  public EvaluationPlan withLimits(Limits other) {
    return new EvaluationPlan(
        objective, constraints, alpha, other, ranges, looks, primary, estimators, detectableLift);
  }

  public EvaluationPlan withRange(String signal, Range range) {
    Map<String, Range> more = new TreeMap<>(ranges);
    more.put(signal, range);
    return new EvaluationPlan(
        objective, constraints, alpha, limits, more, looks, primary, estimators, detectableLift);
  }

  public EvaluationPlan withLooks(Looks other) {
    return new EvaluationPlan(
        objective, constraints, alpha, limits, ranges, other, primary, estimators, detectableLift);
  }

  public EvaluationPlan withPrimary(Estimator estimator) {
    return new EvaluationPlan(
        objective,
        constraints,
        alpha,
        limits,
        ranges,
        looks,
        estimator,
        estimators,
        detectableLift);
  }

  public EvaluationPlan withEstimators(List<Estimator> shown) {
    return new EvaluationPlan(
        objective, constraints, alpha, limits, ranges, looks, primary, shown, detectableLift);
  }

  /** The share of alpha that the objective and each constraint have. */
  double alphaEach() {
    return alpha / (1 + constraints.size());
  }
}
