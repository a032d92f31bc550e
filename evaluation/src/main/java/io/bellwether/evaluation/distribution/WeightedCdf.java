package io.bellwether.evaluation.distribution;

import io.bellwether.evaluation.CompensatedSums;
import io.bellwether.evaluation.distribution.TailMean.End;
import io.bellwether.evaluation.interval.Interval;
import io.bellwether.evaluation.interval.Normal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The weighted distribution of a signal's amount per decision: F(y) = Σ w·1{r ≤ y} / Σw (Hájek's
 * estimator, monotone in [0, 1]). Immutable if its decisions are.
 *
 * <p>Made in two passes over the decisions, with memory for at most {@value ValueGrid#MOST} points;
 * tails take a third. F is exact at its points. Where the decisions have more different amounts
 * than that, quantiles are rounded up to the next point and tails are exact for the rounded
 * quantile, which moves their means by less than the rounding, since the true quantile minimises
 * what they are computed from (Rockafellar and Uryasev, "Optimization of Conditional
 * Value-at-Risk", 2000).
 *
 * <p>Standard errors are those of the influence values ψ = (w/w̄)(1{r ≤ y} − F), robust against
 * several decisions of one unit.
 */
public final class WeightedCdf {
  /** Sums in another order differ by less, and a quantile must not jump for that. */
  private static final double ROUNDING = 1e-12;

  private final WeightedValues values;
  private final ValueGrid grid;
  private final long units;

  /** By point: Σw, Σw·r and Σw² of the decisions whose amount it stands for. */
  private final double[] weight;

  private final double[] amount;
  private final double[] square;
  private final double total;
  private final double[] cumulative;
  private final double[] error;

  private WeightedCdf(WeightedValues values, ValueGrid grid, Sums sums) {
    this.values = values;
    this.grid = grid;
    weight = sums.column(0);
    amount = sums.column(1);
    square = sums.column(2);
    total = CompensatedSums.of(weight);
    cumulative = cumulative(weight, total);
    error = sums.jumps.squares(cumulative);
    units = sums.jumps.units();
    for (int point = 0; point < error.length; point++) {
      error[point] = standardError(error[point]);
    }
  }

  private static final class Sums {
    final int points;
    final CompensatedSums sums;
    final UnitJumps jumps;

    Sums(int points) {
      this.points = points;
      sums = new CompensatedSums(3 * points);
      jumps = new UnitJumps(points);
    }

    void add(long unit, int point, double weight, double value) {
      sums.add(point, weight);
      sums.add(points + point, weight * value);
      sums.add(2 * points + point, weight * weight);
      jumps.add(unit, point, weight);
    }

    double[] column(int column) {
      double[] values = new double[points];
      Arrays.setAll(values, point -> sums.get(column * points + point));
      return values;
    }
  }

  /**
   * The distribution of some decisions; empty if all weights are 0 or there are below two units.
   */
  public static Optional<WeightedCdf> of(WeightedValues values) {
    ValueGrid grid = ValueGrid.of(values);
    Sums sums = new Sums(grid.points().length);
    values.forEach(
        (decision, unit, weight, value) -> sums.add(unit, grid.at(value), weight, value));
    WeightedCdf cdf = new WeightedCdf(values, grid, sums);
    return cdf.total > 0 && cdf.units > 1 ? Optional.of(cdf) : Optional.empty();
  }

  /** Whether every amount is a point, so that quantiles are not rounded. */
  public boolean isExact() {
    return grid.exact();
  }

  /** (Σw)² / Σw² of the decisions. */
  public double effectiveSampleSize() {
    return total * total / CompensatedSums.of(square);
  }

  /** F at the largest point that is not above a value: at the value itself where F is exact. */
  public CdfPoint at(double value) {
    int above = grid.at(value);
    boolean isPoint = above < cumulative.length && grid.points()[above] == value;
    int point = isPoint ? above : above - 1;
    return point < 0 ? new CdfPoint(value, 0, 0) : pointAt(point, value);
  }

  /**
   * F at points spread evenly over all, with the first and the last; at least two are asked for.
   */
  public List<CdfPoint> points(int most) {
    int last = cumulative.length - 1;
    int count = Math.min(most, cumulative.length);
    List<CdfPoint> points = new ArrayList<>(count);
    for (int each = 0; each < count; each++) {
      int point = count == 1 ? last : (int) ((long) each * last / (count - 1));
      points.add(pointAt(point, grid.points()[point]));
    }
    return points;
  }

  /**
   * The smallest point y with F(y) at least {@code probability}, in (0, 1), and all amounts that
   * the normal test of F(y) = probability does not reject: from the first point where F is not too
   * low up to the point after the last where it is not too high.
   */
  public WeightedQuantile quantile(double probability, double level) {
    if (!(probability > 0 && probability < 1)) {
      throw new IllegalArgumentException("a quantile needs (0, 1), found " + probability);
    }
    double z = Normal.quantile(1 - (1 - level) / 2);
    int last = cumulative.length - 1;
    int at = first(probability);
    int lower = 0;
    while (lower < at && cumulative[lower] + z * error[lower] < probability - ROUNDING) {
      lower++;
    }
    int upper = last;
    while (upper > at && cumulative[upper - 1] - z * error[upper - 1] >= probability - ROUNDING) {
      upper--;
    }
    double[] points = grid.points();
    return new WeightedQuantile(
        probability,
        points[at],
        new Interval(Interval.Method.NORMAL, level, points[lower], points[upper]));
  }

  /**
   * Means of the lower and the upper tails with these shares of the decisions, in (0, 1]; both ends
   * of the first share, then of the second, … One pass over the decisions.
   *
   * <p>Lower tail: q − Σ w·(q−r)₊ / (share·Σw) with ψ = (w/w̄)(q − (q−r)₊/share − mean); the upper
   * one by changing the sign of r.
   */
  public List<TailMean> tails(double... shares) {
    Tail[] tails = new Tail[2 * shares.length];
    for (int each = 0; each < shares.length; each++) {
      if (!(shares[each] > 0 && shares[each] <= 1)) {
        throw new IllegalArgumentException("a tail's share is in (0, 1], found " + shares[each]);
      }
      tails[2 * each] = lower(shares[each]);
      tails[2 * each + 1] = upper(shares[each]);
    }
    TailErrors errors = new TailErrors(tails);
    values.forEach((decision, unit, weight, value) -> errors.add(unit, weight, value));
    double[] squares = errors.squares();
    List<TailMean> means = new ArrayList<>(tails.length);
    for (int each = 0; each < tails.length; each++) {
      Tail tail = tails[each];
      means.add(
          new TailMean(
              tail.upper ? End.UPPER : End.LOWER,
              tail.share,
              tail.quantile,
              tail.mean,
              standardError(squares[each]),
              tail.effectiveSampleSize));
    }
    return means;
  }

  private record Tail(
      boolean upper, double share, double quantile, double mean, double effectiveSampleSize) {

    /** The decision's part of ψ without its weight. */
    double influence(double value) {
      double beyond = Math.max(0, upper ? value - quantile : quantile - value);
      return (upper ? quantile + beyond / share : quantile - beyond / share) - mean;
    }
  }

  private Tail lower(double share) {
    int at = first(share);
    double quantile = grid.points()[at];
    CompensatedSums inside = new CompensatedSums(3);
    for (int point = 0; point <= at; point++) {
      addPoint(inside, point, quantile);
    }
    return new Tail(
        false,
        share,
        quantile,
        quantile + inside.get(0) / (share * total),
        inside.get(1) * inside.get(1) / inside.get(2));
  }

  private Tail upper(double share) {
    double[] points = grid.points();
    CompensatedSums inside = new CompensatedSums(3);
    double enough = (share - ROUNDING) * total;
    int at = points.length;
    do {
      at--;
      addPoint(inside, at, 0);
    } while (at > 0 && inside.get(1) < enough);
    double quantile = points[at];
    CompensatedSums beyond = new CompensatedSums(3);
    for (int point = at + 1; point < points.length; point++) {
      addPoint(beyond, point, quantile);
    }
    return new Tail(
        true,
        share,
        quantile,
        quantile + beyond.get(0) / (share * total),
        inside.get(1) * inside.get(1) / inside.get(2));
  }

  /** Adds Σw·(r − quantile), Σw and Σw² of a point. */
  private void addPoint(CompensatedSums sums, int point, double quantile) {
    sums.add(0, amount[point]);
    sums.add(0, -quantile * weight[point]);
    sums.add(1, weight[point]);
    sums.add(2, square[point]);
  }

  private static final class TailErrors {
    private final Tail[] tails;
    private final double[] ofUnit;
    private final CompensatedSums squares;
    private long unit;

    TailErrors(Tail[] tails) {
      this.tails = tails;
      ofUnit = new double[tails.length];
      squares = new CompensatedSums(tails.length);
    }

    void add(long unit, double weight, double value) {
      if (unit != this.unit) {
        closeUnit();
        this.unit = unit;
      }
      for (int tail = 0; tail < tails.length; tail++) {
        ofUnit[tail] += weight * tails[tail].influence(value);
      }
    }

    double[] squares() {
      closeUnit();
      double[] result = new double[tails.length];
      Arrays.setAll(result, squares::get);
      return result;
    }

    private void closeUnit() {
      for (int tail = 0; tail < tails.length; tail++) {
        squares.add(tail, ofUnit[tail] * ofUnit[tail]);
        ofUnit[tail] = 0;
      }
    }
  }

  private CdfPoint pointAt(int point, double value) {
    return new CdfPoint(value, cumulative[point], error[point]);
  }

  private int first(double probability) {
    int point = 0;
    while (point < cumulative.length - 1 && cumulative[point] < probability - ROUNDING) {
      point++;
    }
    return point;
  }

  /** From Σ over units of (Σ w·…)²: √(C/(C−1) · Σψ²) / n with ψ = …/w̄, w̄ = total / n. */
  private double standardError(double squares) {
    return total > 0 && units > 1 ? Math.sqrt(units / (units - 1.0) * squares) / total : 0;
  }

  private static double[] cumulative(double[] weight, double total) {
    double[] cumulative = new double[weight.length];
    CompensatedSums running = new CompensatedSums(1);
    for (int point = 0; point < weight.length; point++) {
      running.add(0, weight[point]);
      cumulative[point] = total > 0 ? Math.min(1, running.get(0) / total) : 0;
    }
    return cumulative;
  }
}
