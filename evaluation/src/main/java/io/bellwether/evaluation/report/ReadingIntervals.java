package io.bellwether.evaluation.report;

import io.bellwether.evaluation.interval.AsymptoticSequence;
import io.bellwether.evaluation.interval.BootstrapDistribution;
import io.bellwether.evaluation.interval.Interval;
import io.bellwether.evaluation.interval.Interval.Method;
import io.bellwether.evaluation.offpolicy.Estimate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Every interval at a level of 95 % that suits an estimate, each at one look but for the sequences,
 * or why there is none. They are there to be compared; none of them decides.
 *
 * @param resampled the estimate's bootstrap, where one was asked for and has a value
 */
record ReadingIntervals(
    Estimation estimation,
    String signal,
    Estimate estimate,
    Optional<BootstrapDistribution> resampled) {
  private static final double LEVEL = Estimation.READING_LEVEL;

  /** Below so many units the asymptotic sequence claims nothing. */
  private static final long LEAST_UNITS = 100;

  List<EstimateInterval> all() {
    List<EstimateInterval> intervals = new ArrayList<>();
    intervals.add(both(Method.NORMAL, normal()));
    intervals.add(both(Method.STUDENT, student()));
    if (estimation.plan().replicates() > 0) {
      intervals.add(both(Method.PERCENTILE, percentile()));
      intervals.add(both(Method.BCA, bca()));
    }
    intervals.add(both(Method.ASYMPTOTIC_SEQUENCE, sequence()));
    return intervals;
  }

  private static EstimateInterval both(Method method, Bounds bounds) {
    return new EstimateInterval(method, LEVEL, EstimateInterval.Sides.BOTH, bounds);
  }

  private Bounds normal() {
    return withError(known -> Interval.normal(known.value(), known.standardError(), LEVEL));
  }

  private Bounds student() {
    return withError(
        known ->
            Interval.student(known.value(), known.standardError(), known.units() - 1.0, LEVEL));
  }

  /** Tightest at the number of units that the plan, or else the log, has. */
  private Bounds sequence() {
    if (estimation.units().count() < LEAST_UNITS) {
      return new Bounds.Absent("FEW_UNITS");
    }
    double planned =
        estimation.plan().looks() instanceof Looks.Repeated repeated
            ? repeated.plannedUnits()
            : estimation.units().count();
    return withError(
        known -> {
          double margin =
              new AsymptoticSequence(1 - LEVEL, planned)
                  .twoSidedMargin(known.units(), known.standardError());
          return new Interval(
              Method.ASYMPTOTIC_SEQUENCE, LEVEL, known.value() - margin, known.value() + margin);
        });
  }

  private interface FromError {
    Interval of(Estimate.Estimated known);
  }

  /** A normal limit needs events and some variety. */
  private Bounds withError(FromError interval) {
    if (!(estimate instanceof Estimate.Estimated known)) {
      return new Bounds.Absent(Estimation.reason(estimate));
    }
    if (estimation.isSparse(signal)) {
      return new Bounds.Absent(estimation.sparseness(signal));
    }
    return new Bounds.Within(interval.of(known));
  }

  private Bounds percentile() {
    return whyNotResampled()
        .<Bounds>map(Bounds.Absent::new)
        .orElseGet(() -> new Bounds.Within(resampled.orElseThrow().percentile(LEVEL)));
  }

  private Bounds bca() {
    return whyNotResampled()
        .or(() -> resampled.filter(each -> each.fallsBack(LEVEL)).map(each -> "FALLS_BACK"))
        .<Bounds>map(Bounds.Absent::new)
        .orElseGet(() -> new Bounds.Within(resampled.orElseThrow().bca(LEVEL)));
  }

  private Optional<String> whyNotResampled() {
    if (!(estimate instanceof Estimate.Estimated)) {
      return Optional.of(Estimation.reason(estimate));
    }
    if (estimation.isSparse(signal)) {
      return Optional.of(estimation.sparseness(signal));
    }
    return resampled.isEmpty() ? Optional.of("NOT_RESAMPLED") : Optional.empty();
  }
}
