package io.bellwether.evaluation.report;

import io.bellwether.evaluation.CompensatedSums;
import io.bellwether.evaluation.interval.EmpiricalBernstein;
import io.bellwether.evaluation.interval.Hoeffding;
import io.bellwether.evaluation.interval.Interval;
import io.bellwether.evaluation.interval.Interval.Method;
import io.bellwether.evaluation.interval.TruncatedEmpiricalBernstein;
import io.bellwether.evaluation.offpolicy.DecisionColumns;
import io.bellwether.evaluation.offpolicy.Weighting;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Intervals of the plainly weighted value that need no normal limit, from what was declared of the
 * log before anybody saw it: the rewards' range and, where it is known, the largest weight. All
 * rest on the decisions' y = Σ_k w_k(r_k − low), at least 0, whose mean is V − K·low.
 */
final class BoundedIntervals {
  private static final double LEVEL = Estimation.READING_LEVEL;

  private final Estimation estimation;
  private final String signal;

  BoundedIntervals(Estimation estimation, String signal) {
    this.estimation = estimation;
    this.signal = signal;
  }

  /** Of the value under one kind of weights. */
  List<EstimateInterval> of(Weighting weighting) {
    Range range = estimation.plan().ranges().get(signal);
    if (range == null) {
      return absent("RANGE_NOT_DECLARED");
    }
    if (estimation.found(Finding.Code.REWARD_OUT_OF_RANGE, signal)) {
      return absent("REWARD_OUT_OF_RANGE");
    }
    DecisionColumns columns = estimation.target(signal, weighting);
    AnytimeBounds anytime = new AnytimeBounds(columns, range, estimation.safe().haveOneLength());
    Fixed fixed = fixed(anytime);
    return List.of(
        both(
            Method.EMPIRICAL_BERNSTEIN_SEQUENCE,
            estimation.safe().ofTarget(signal, weighting, (1 - LEVEL) / 2)),
        both(Method.HOEFFDING, fixed.hoeffding),
        both(Method.EMPIRICAL_BERNSTEIN, fixed.bernstein),
        new EstimateInterval(
            Method.TRUNCATED_EMPIRICAL_BERNSTEIN,
            LEVEL,
            EstimateInterval.Sides.LOWER,
            truncated(anytime)));
  }

  private static List<EstimateInterval> absent(String reason) {
    return List.of(
        both(Method.EMPIRICAL_BERNSTEIN_SEQUENCE, new Bounds.Absent(reason)),
        both(Method.HOEFFDING, new Bounds.Absent(reason)),
        both(Method.EMPIRICAL_BERNSTEIN, new Bounds.Absent(reason)),
        new EstimateInterval(
            Method.TRUNCATED_EMPIRICAL_BERNSTEIN,
            LEVEL,
            EstimateInterval.Sides.LOWER,
            new Bounds.Absent(reason)));
  }

  private static EstimateInterval both(Method method, Bounds bounds) {
    return new EstimateInterval(method, LEVEL, EstimateInterval.Sides.BOTH, bounds);
  }

  /** What is valid at one planned row count only. */
  private record Fixed(Bounds hoeffding, Bounds bernstein) {

    static Fixed absent(String reason) {
      return new Fixed(new Bounds.Absent(reason), new Bounds.Absent(reason));
    }
  }

  private Fixed fixed(AnytimeBounds bounds) {
    double largest = estimation.plan().largestWeight();
    if (Double.isInfinite(largest)) {
      return Fixed.absent("LARGEST_WEIGHT_NOT_DECLARED");
    }
    if (estimation.units().repeats()) {
      return Fixed.absent("UNITS_REPEAT");
    }
    if (bounds.columns().decisions() < 2) {
      return Fixed.absent("N_LT_2");
    }
    Moments moments = moments(bounds);
    double most = bounds.span() * largest;
    if (moments.largest > most) {
      return Fixed.absent("WEIGHT_ABOVE_DECLARED");
    }
    double shift = bounds.low() * bounds.columns().positions();
    return new Fixed(
        shifted(new Hoeffding(moments.count, moments.mean, most).interval(LEVEL), shift),
        shifted(
            new EmpiricalBernstein(moments.count, moments.mean, moments.variance, most)
                .interval(LEVEL),
            shift));
  }

  private static Bounds shifted(Interval interval, double shift) {
    return new Bounds.Within(
        new Interval(
            interval.method(),
            interval.level(),
            interval.lower() + shift,
            interval.upper() + shift));
  }

  private record Moments(long count, double mean, double variance, double largest) {}

  private static Moments moments(AnytimeBounds bounds) {
    DecisionColumns columns = bounds.columns();
    double[] largest = new double[1];
    CompensatedSums sums = new CompensatedSums(1);
    columns.forEach(
        (decision, row) -> {
          double value = bounds.aboveLow(row);
          sums.add(0, value);
          largest[0] = Math.max(largest[0], value);
        });
    long count = columns.decisions();
    double mean = sums.get(0) / count;
    CompensatedSums squares = new CompensatedSums(1);
    columns.forEach(
        (decision, row) -> {
          double distance = bounds.aboveLow(row) - mean;
          squares.add(0, distance * distance);
        });
    return new Moments(count, mean, squares.get(0) / (count - 1), largest[0]);
  }

  private Bounds truncated(AnytimeBounds bounds) {
    if (estimation.units().repeats()) {
      return new Bounds.Absent("UNITS_REPEAT");
    }
    TruncatedEmpiricalBernstein truncated =
        new TruncatedEmpiricalBernstein(estimation.plan().seed(), bounds.span());
    bounds
        .columns()
        .forEach(
            (decision, row) ->
                truncated.add(estimation.log().unit(decision), bounds.aboveLow(row)));
    OptionalDouble lower = truncated.lower(1 - LEVEL);
    if (lower.isEmpty()) {
      return new Bounds.Absent("FEW_UNITS");
    }
    double positions = bounds.columns().positions();
    double bound = lower.getAsDouble() + bounds.low() * positions;
    return new Bounds.Within(
        new Interval(
            Method.TRUNCATED_EMPIRICAL_BERNSTEIN,
            LEVEL,
            bound,
            Math.max(bound, bounds.high() * positions)));
  }
}
