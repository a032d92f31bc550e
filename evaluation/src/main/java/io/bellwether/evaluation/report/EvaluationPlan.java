package io.bellwether.evaluation.report;

import io.bellwether.evaluation.interval.Simultaneous;
import io.bellwether.evaluation.offpolicy.DoublyRobust;
import io.bellwether.evaluation.offpolicy.Estimator;
import io.bellwether.evaluation.offpolicy.Ips;
import io.bellwether.evaluation.offpolicy.SelfNormalizedDoublyRobust;
import io.bellwether.evaluation.offpolicy.Snips;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * What a report has to decide and to show, fixed before anybody looks at the data.
 *
 * <p>The error probability {@code alpha} is shared between the objective and the constraints, 1 + C
 * in all. By default equally (Bonferroni): the objective has a one-sided bound at alpha/(1+C), each
 * constraint a two-sided interval at alpha/(1+C) in total.
 *
 * @param ranges declared range of a signal on one row; without one there are no bounds for it where
 *     the effective sample size is small or events are few
 * @param primary the estimator that decides; where the reward model's columns are missing for the
 *     target or the champion, self-normalised IPS decides for both
 * @param shown names of the estimators that are shown where they suit the log, in this order
 * @param fixed estimators whose parameters are given here; those of the others are chosen on the
 *     log
 * @param detectableLift the share of the baseline's value for which "rows needed" is computed
 * @param largestWeight what no weight exceeds, known before the log was seen (largest target
 *     probability / exploration floor); infinite where nothing is declared
 * @param segments dimensions to show values by, at most 20 labels in all
 * @param simultaneous how alpha is shared: as said above, or less conservatively
 * @param replicates resamples of a bootstrap, 0 for none
 * @param seed of everything random
 * @param approver who stands up for a pass with warnings, or empty
 */
public record EvaluationPlan(
    Objective objective,
    List<Constraint> constraints,
    double alpha,
    Limits limits,
    SortedMap<String, Range> ranges,
    Looks looks,
    Estimator primary,
    List<String> shown,
    List<Estimator> fixed,
    double detectableLift,
    double largestWeight,
    List<String> segments,
    Simultaneous simultaneous,
    int replicates,
    long seed,
    String approver) {

  /** Neither the direct method nor a clipped or shrunk estimator ever decides. */
  private static final List<Estimator> DECIDES =
      List.of(new SelfNormalizedDoublyRobust(), new DoublyRobust(), new Snips(), new Ips());

  private static final int REPLICATES = 2_000;
  private static final int MAX_REPLICATES = 1_000_000;

  public EvaluationPlan {
    constraints = List.copyOf(constraints);
    ranges = Collections.unmodifiableSortedMap(new TreeMap<>(ranges));
    shown = List.copyOf(shown);
    fixed = List.copyOf(fixed);
    segments = List.copyOf(segments);
    if (!(alpha > 0 && alpha < 0.5)) {
      throw new IllegalArgumentException("alpha lies in (0, 0.5), found " + alpha);
    }
    if (!(detectableLift > 0)) {
      throw new IllegalArgumentException("a lift to detect is above 0, found " + detectableLift);
    }
    if (!(largestWeight > 0)) {
      throw new IllegalArgumentException("a largest weight is above 0, found " + largestWeight);
    }
    if (replicates < 0 || replicates > MAX_REPLICATES) {
      throw new IllegalArgumentException(
          "between 0 and %d replicates, found %d".formatted(MAX_REPLICATES, replicates));
    }
    if (!DECIDES.contains(primary)) {
      throw new IllegalArgumentException(
          "the primary estimator is one of %s, found %s".formatted(DECIDES, primary));
    }
    Roster.requireKnown(shown);
  }

  /** The defaults: alpha 0.05, no constraint, one look, self-normalised doubly robust. */
  public static EvaluationPlan of(Objective objective) {
    return new EvaluationPlan(
        objective,
        List.of(),
        0.05,
        Limits.defaults(),
        new TreeMap<>(),
        new Looks.Once(),
        new SelfNormalizedDoublyRobust(),
        Roster.NAMES,
        List.of(),
        0.1,
        Double.POSITIVE_INFINITY,
        List.of(),
        Simultaneous.BONFERRONI,
        REPLICATES,
        1,
        "");
  }

  public EvaluationPlan withObjective(Objective other) {
    return changed(draft -> draft.objective = other);
  }

  public EvaluationPlan withConstraints(List<Constraint> promises) {
    return changed(draft -> draft.constraints = promises);
  }

  public EvaluationPlan withAlpha(double probability) {
    return changed(draft -> draft.alpha = probability);
  }

  public EvaluationPlan withLimits(Limits other) {
    return changed(draft -> draft.limits = other);
  }

  public EvaluationPlan withRange(String signal, Range range) {
    SortedMap<String, Range> more = new TreeMap<>(ranges);
    more.put(signal, range);
    return changed(draft -> draft.ranges = more);
  }

  public EvaluationPlan withLooks(Looks other) {
    return changed(draft -> draft.looks = other);
  }

  public EvaluationPlan withPrimary(Estimator estimator) {
    return changed(draft -> draft.primary = estimator);
  }

  /** Shows these estimators, with the parameters that they have. */
  public EvaluationPlan withEstimators(List<Estimator> estimators) {
    return changed(
        draft -> {
          draft.shown = estimators.stream().map(Estimator::name).toList();
          draft.fixed = estimators;
        });
  }

  /**
   * Shows the estimators of these names, with parameters chosen on the log.
   *
   * @throws IllegalArgumentException if a name is not known; the message says which are
   */
  public EvaluationPlan withEstimatorNames(List<String> names) {
    return changed(
        draft -> {
          draft.shown = names;
          draft.fixed = List.of();
        });
  }

  public EvaluationPlan withDetectableLift(double share) {
    return changed(draft -> draft.detectableLift = share);
  }

  public EvaluationPlan withLargestWeight(double weight) {
    return changed(draft -> draft.largestWeight = weight);
  }

  public EvaluationPlan withSegments(List<String> dimensions) {
    return changed(draft -> draft.segments = dimensions);
  }

  public EvaluationPlan withSimultaneous(Simultaneous method) {
    return changed(draft -> draft.simultaneous = method);
  }

  public EvaluationPlan withBootstrap(int resamples, long seedOfThem) {
    return changed(
        draft -> {
          draft.replicates = resamples;
          draft.seed = seedOfThem;
        });
  }

  public EvaluationPlan withApprover(String name) {
    return changed(draft -> draft.approver = name);
  }

  /** The share of alpha that the objective and each constraint have. */
  double alphaEach() {
    return alpha / (1 + constraints.size());
  }

  private EvaluationPlan changed(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.plan();
  }

  private static final class Draft {
    Objective objective;
    List<Constraint> constraints;
    double alpha;
    Limits limits;
    SortedMap<String, Range> ranges;
    Looks looks;
    Estimator primary;
    List<String> shown;
    List<Estimator> fixed;
    double detectableLift;
    double largestWeight;
    List<String> segments;
    Simultaneous simultaneous;
    int replicates;
    long seed;
    String approver;

    Draft(EvaluationPlan plan) {
      objective = plan.objective;
      constraints = plan.constraints;
      alpha = plan.alpha;
      limits = plan.limits;
      ranges = plan.ranges;
      looks = plan.looks;
      primary = plan.primary;
      shown = plan.shown;
      fixed = plan.fixed;
      detectableLift = plan.detectableLift;
      largestWeight = plan.largestWeight;
      segments = plan.segments;
      simultaneous = plan.simultaneous;
      replicates = plan.replicates;
      seed = plan.seed;
      approver = plan.approver;
    }

    EvaluationPlan plan() {
      return new EvaluationPlan(
          objective,
          constraints,
          alpha,
          limits,
          ranges,
          looks,
          primary,
          shown,
          fixed,
          detectableLift,
          largestWeight,
          segments,
          simultaneous,
          replicates,
          seed,
          approver);
    }
  }
}
