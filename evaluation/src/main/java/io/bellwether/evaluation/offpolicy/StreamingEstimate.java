package io.bellwether.evaluation.offpolicy;

import io.bellwether.evaluation.CompensatedSums;

/**
 * An estimate that grows decision by decision and is joined across partitions.
 *
 * <p>Call {@link #add} once per decision. Memory is constant, or one line per unit where standard
 * errors are to be robust against several decisions of one unit. Confined to one thread; parts are
 * joined with {@link #merge}, in any order, to the same result within 1e-12.
 *
 * <p>The spread comes from sums of products of terms, which loses digits where a spread is below
 * about 1e-7 of the terms' size; {@link Influence}, with its second pass, does not.
 */
public final class StreamingEstimate {
  private final Estimator estimator;
  private final boolean byUnit;
  private final int width;
  private final double[] terms;
  private final CompensatedSums sums;
  private final CompensatedSums products;
  private final UnitTotals units;
  private long decisions;

  private StreamingEstimate(Estimator estimator, int positions, boolean byUnit) {
    this.estimator = estimator;
    this.byUnit = byUnit;
    width = estimator.width(positions);
    terms = new double[width];
    sums = new CompensatedSums(width);
    products = new CompensatedSums(byUnit ? 0 : width * (width + 1) / 2);
    units = new UnitTotals(byUnit ? width : 0);
  }

  /** For logs in which no unit has two decisions. */
  public static StreamingEstimate perDecision(Estimator estimator, int positions) {
    return new StreamingEstimate(estimator, positions, false);
  }

  /** For logs in which a unit may have several decisions. */
  public static StreamingEstimate perUnit(Estimator estimator, int positions) {
    return new StreamingEstimate(estimator, positions, true);
  }

  public void add(long unit, DecisionRow decision) {
    estimator.terms(decision, terms);
    decisions++;
    for (int term = 0; term < width; term++) {
      sums.add(term, terms[term]);
    }
    if (byUnit) {
      units.add(unit, terms);
      return;
    }
    int product = 0;
    for (int left = 0; left < width; left++) {
      for (int right = 0; right <= left; right++) {
        products.add(product++, terms[left] * terms[right]);
      }
    }
  }

  public void merge(StreamingEstimate other) {
    if (!estimator.equals(other.estimator) || width != other.width || byUnit != other.byUnit) {
      throw new IllegalArgumentException(
          "cannot merge %s into %s".formatted(other.estimator, estimator));
    }
    decisions += other.decisions;
    sums.merge(other.sums);
    products.merge(other.products);
    units.merge(other.units);
  }

  public Estimate result() {
    if (decisions == 0) {
      return new Estimate.Refused("NO_ROWS");
    }
    double[] means = new double[width];
    for (int term = 0; term < width; term++) {
      means[term] = sums.get(term) / decisions;
    }
    if (!estimator.isDefined(means)) {
      return new Estimate.Refused("NO_OVERLAP");
    }
    double[] gradient = new double[width];
    estimator.gradient(means, gradient);
    double squares =
        byUnit ? units.influenceSquares(means, gradient) : influenceSquares(means, gradient);
    return StandardError.estimate(
        estimator.value(means), squares, decisions, byUnit ? units.size() : decisions);
  }

  /** gradientᵀ (Σ terms·termsᵀ − n·means·meansᵀ) gradient. */
  private double influenceSquares(double[] means, double[] gradient) {
    CompensatedSums squares = new CompensatedSums(1);
    int product = 0;
    for (int left = 0; left < width; left++) {
      for (int right = 0; right <= left; right++) {
        double factor = (left == right ? 1 : 2) * gradient[left] * gradient[right];
        squares.add(0, factor * products.get(product++));
        squares.add(0, -factor * decisions * means[left] * means[right]);
      }
    }
    return Math.max(0, squares.get(0));
  }
}
