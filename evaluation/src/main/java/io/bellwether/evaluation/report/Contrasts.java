package io.bellwether.evaluation.report;

import io.bellwether.evaluation.interval.Interval;
import io.bellwether.evaluation.offpolicy.Estimate;
import io.bellwether.evaluation.offpolicy.Influence;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Contrasts as measured, all of a plan in one pass.
 *
 * <p>They are tested on paired differences: the influence of V_target − factor·V_baseline, decision
 * by decision. Where the effective sample size is below {@link Limits#normalEffectiveSampleSize} or
 * a signal has too few events for a normal limit, the bounds of the two values are computed apart,
 * each with half of the error probability ({@link SafeBounds}).
 *
 * @param contrasts of the objective first, then of the promises
 * @param influences of each, where both policies have a value
 * @param estimates of each
 */
record Contrasts(
    Estimation estimation,
    List<Contrast> contrasts,
    List<Optional<Influence>> influences,
    List<Estimate> estimates) {

  static Contrasts of(Estimation estimation, List<Contrast> contrasts) {
    List<Optional<Influence>> influences = new ArrayList<>();
    List<Influence> present = new ArrayList<>();
    for (Contrast contrast : contrasts) {
      Optional<Influence> influence = difference(estimation, contrast);
      influence.ifPresent(present::add);
      influences.add(influence);
    }
    List<Estimate> found = Influence.estimates(present, estimation.units());
    List<Estimate> estimates = new ArrayList<>();
    int next = 0;
    for (int at = 0; at < contrasts.size(); at++) {
      String signal = contrasts.get(at).signal();
      estimates.add(
          influences.get(at).isPresent()
              ? estimation.withoutRounding(found.get(next++), signal)
              : new Estimate.Refused(
                  estimation.refusal(estimation.deciding(signal), signal).orElse("NO_OVERLAP")));
    }
    return new Contrasts(estimation, contrasts, influences, estimates);
  }

  private static Optional<Influence> difference(Estimation estimation, Contrast contrast) {
    String signal = contrast.signal();
    Shown deciding = estimation.deciding(signal);
    return estimation
        .target(deciding, signal)
        .flatMap(
            target ->
                estimation
                    .baseline(deciding, signal)
                    .map(
                        baseline ->
                            target.combine(
                                contrast.sign(),
                                baseline,
                                -contrast.sign() * contrast.factor(),
                                -contrast.sign() * contrast.offset())));
  }

  /** Covariances of the contrasts, [i][j]; empty where not all of them have an error. */
  Optional<double[][]> covariances() {
    List<Influence> all = influences.stream().flatMap(Optional::stream).toList();
    if (!estimates.stream().allMatch(Estimate.Estimated.class::isInstance)) {
      return Optional.empty();
    }
    return Optional.of(Influence.covariances(all, estimation.units()));
  }

  /** A contrast with an interval that misses on each side with probability {@code alpha}. */
  ContrastResult result(int at, double alpha) {
    Contrast contrast = contrasts.get(at);
    return new ContrastResult(
        contrast,
        estimation.deciding(contrast.signal()).name(),
        estimates.get(at),
        bounds(contrast, estimates.get(at), alpha));
  }

  private Bounds bounds(Contrast contrast, Estimate estimate, double alpha) {
    if (!(estimate instanceof Estimate.Estimated known)) {
      return new Bounds.Absent(Estimation.reason(estimate));
    }
    if (!estimation.isNormal(contrast.signal())) {
      return separateBounds(contrast, alpha);
    }
    Looks looks = estimation.plan().looks();
    double margin = looks.margin(known, alpha);
    return new Bounds.Within(
        new Interval(
            looks.method(), 1 - 2 * alpha, known.value() - margin, known.value() + margin));
  }

  private Bounds separateBounds(Contrast contrast, double alpha) {
    String signal = contrast.signal();
    double share = contrast.isAgainstBaseline() ? alpha / 2 : alpha;
    if (!(estimation.safe().ofTarget(signal, share) instanceof Bounds.Within target)) {
      return estimation.safe().ofTarget(signal, share);
    }
    if (!contrast.isAgainstBaseline()) {
      return new Bounds.Within(separate(contrast, target.interval(), 0, 0, alpha));
    }
    Bounds baseline = estimation.safe().ofBaseline(signal, share);
    if (!(baseline instanceof Bounds.Within within)) {
      return baseline;
    }
    return new Bounds.Within(
        separate(
            contrast,
            target.interval(),
            contrast.factor() * within.interval().lower(),
            contrast.factor() * within.interval().upper(),
            alpha));
  }

  private static Interval separate(
      Contrast contrast, Interval target, double baselineLow, double baselineHigh, double alpha) {
    double low = target.lower() - Math.max(baselineLow, baselineHigh) - contrast.offset();
    double high = target.upper() - Math.min(baselineLow, baselineHigh) - contrast.offset();
    return new Interval(
        Interval.Method.EMPIRICAL_BERNSTEIN_SEQUENCE,
        1 - 2 * alpha,
        contrast.sign() > 0 ? low : -high,
        contrast.sign() > 0 ? high : -low);
  }
}
