package io.bellwether.evaluation.report;

import io.bellwether.evaluation.episode.EpisodeEstimator;
import io.bellwether.evaluation.episode.EpisodeInfluence;
import io.bellwether.evaluation.episode.EpisodeSteps;
import io.bellwether.evaluation.episode.Magic;
import io.bellwether.evaluation.episode.ModelledEpisodes;
import io.bellwether.evaluation.episode.StepSignal;
import io.bellwether.evaluation.offpolicy.Estimate;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The two policies that are compared, as they weigh the same sessions.
 *
 * @param supported whether the log supports the target
 * @param hasBaseline whether it supports the baseline
 */
record SessionPolicies(
    EpisodeSteps target, EpisodeSteps baseline, boolean supported, boolean hasBaseline) {

  static final String MAGIC = "magic";

  private static final String WORN_OUT = "FEW_EFFECTIVE_SESSIONS";
  private static final double[] NO_LEAST_ERROR = new double[3];

  /** A value, and how surely it is known. */
  private record Judged(EpisodeInfluence value, double modelVariance, double thinShare) {}

  /** One signal's value under both policies. */
  private record Pair(EpisodeInfluence target, EpisodeInfluence baseline) {

    double difference() {
      return target.value() - baseline.value();
    }
  }

  private interface Formula {
    EpisodeInfluence of(EpisodeSteps steps, StepSignal signal);
  }

  /** What the log says without a model. */
  List<SessionValue> logged(String signal, StepSignal logged) {
    EpisodeEstimator estimator = EpisodeEstimator.WEIGHTED_PER_DECISION;
    Pair pair = new Pair(estimator.of(target, logged), estimator.of(baseline, logged));
    return stated(signal, estimator.word(), judged(pair, List.of(), logged), true, NO_LEAST_ERROR);
  }

  /**
   * What the log and a model say. Weighted doubly robust owes the model nothing but its sharpness,
   * and so its error is honest; the others lean on the model, whose faults nobody can put into a
   * number, and are never stated as surer than the first.
   */
  List<SessionValue> modelled(String signal, ModelledEpisodes sample) {
    StepSignal crossFitted = sample.underTarget(signal);
    Pair robust = pair(EpisodeEstimator.WEIGHTED_DOUBLY_ROBUST::of, signal, sample);
    List<Judged> ofRobust = judged(robust, List.of(), crossFitted);
    double[] errors =
        ofRobust.stream().mapToDouble(each -> error(each.value.estimate(target.units()))).toArray();
    List<SessionValue> values = new ArrayList<>();
    values.addAll(
        stated(
            signal,
            EpisodeEstimator.WEIGHTED_DOUBLY_ROBUST.word(),
            ofRobust,
            true,
            NO_LEAST_ERROR));
    values.addAll(
        stated(
            signal,
            EpisodeEstimator.DIRECT.word(),
            judged(
                pair(SessionPolicies::direct, signal, sample),
                refits(EpisodeEstimator.DIRECT::of, signal, sample),
                crossFitted),
            false,
            errors));
    Formula blend = (steps, each) -> Magic.of(steps, each).influence();
    values.addAll(
        stated(
            signal,
            MAGIC,
            judged(pair(blend, signal, sample), refits(blend, signal, sample), crossFitted),
            false,
            errors));
    return values;
  }

  private static EpisodeInfluence direct(EpisodeSteps steps, StepSignal signal) {
    return EpisodeEstimator.DIRECT.of(steps, signal).withBias(Magic.of(steps, signal).bias()[0]);
  }

  private Pair pair(Formula formula, String signal, ModelledEpisodes sample) {
    return new Pair(
        formula.of(target, sample.underTarget(signal)),
        formula.of(baseline, sample.underBaseline(signal)));
  }

  private List<Pair> refits(Formula formula, String signal, ModelledEpisodes sample) {
    List<Pair> refits = new ArrayList<>();
    for (int fold = 0; fold < sample.refits(signal); fold++) {
      refits.add(
          new Pair(
              formula.of(target, sample.underTarget(signal, fold)),
              formula.of(baseline, sample.underBaseline(signal, fold))));
    }
    return refits;
  }

  /** Of the target, the baseline and their difference, in this order. */
  private List<Judged> judged(Pair pair, List<Pair> refits, StepSignal logged) {
    double thin = target.thinShare(logged, SessionValues.LEAST_EFFECTIVE);
    double thinBaseline = baseline.thinShare(logged, SessionValues.LEAST_EFFECTIVE);
    return List.of(
        new Judged(pair.target, variance(refits, refit -> refit.target.value()), thin),
        new Judged(pair.baseline, variance(refits, refit -> refit.baseline.value()), thinBaseline),
        new Judged(
            pair.target.combine(1, pair.baseline, -1),
            variance(refits, Pair::difference),
            Math.max(thin, thinBaseline)));
  }

  /** The jackknife's, over models that each leave out one of the folds. */
  private static double variance(List<Pair> refits, ToDoubleFunction<Pair> value) {
    int folds = refits.size();
    double mean = 0;
    for (Pair refit : refits) {
      mean += value.applyAsDouble(refit) / folds;
    }
    double squares = 0;
    for (Pair refit : refits) {
      squares += Math.pow(value.applyAsDouble(refit) - mean, 2);
    }
    return folds > 1 ? squares * (folds - 1) / folds : 0;
  }

  /**
   * The judged values as the report states them.
   *
   * @param wearsOut whether nothing is left where the weights have worn out
   * @param leastErrors below which none may be stated
   */
  private List<SessionValue> stated(
      String signal,
      String estimator,
      List<Judged> judged,
      boolean wearsOut,
      double[] leastErrors) {
    List<String> policies = List.of("target", "baseline", "difference");
    List<Boolean> support = List.of(supported, hasBaseline, supported);
    List<SessionValue> values = new ArrayList<>();
    for (int i = 0; i < policies.size(); i++) {
      Estimate estimate = estimate(judged.get(i), support.get(i), wearsOut, leastErrors[i]);
      values.add(
          new SessionValue(
              policies.get(i),
              signal,
              estimator,
              estimate,
              bounds(estimate),
              judged.get(i).thinShare));
    }
    return values;
  }

  private Estimate estimate(
      Judged judged, boolean hasSupport, boolean wearsOut, double leastError) {
    if (!hasSupport) {
      return new Estimate.Refused(Verdict.Code.INSUFFICIENT_SUPPORT.name());
    }
    if (wearsOut && judged.thinShare > SessionValues.LARGEST_THIN_SHARE) {
      return new Estimate.Refused(WORN_OUT);
    }
    Estimate estimate = judged.value.estimate(target.units(), judged.modelVariance);
    return estimate instanceof Estimate.Estimated known && known.standardError() < leastError
        ? new Estimate.Estimated(
            known.value(), leastError, known.errorKind(), known.decisions(), known.units())
        : estimate;
  }

  private static double error(Estimate estimate) {
    return estimate.error().orElse(0);
  }

  private static Bounds bounds(Estimate estimate) {
    if (estimate instanceof Estimate.Estimated known) {
      return new Bounds.Within(Estimation.readingInterval(known));
    }
    return new Bounds.Absent(Estimation.reason(estimate));
  }
}
