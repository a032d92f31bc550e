package io.bellwether.evaluation.offpolicy;

import io.bellwether.evaluation.CompensatedSums;
import java.util.Arrays;

/**
 * An estimate that grows decision by decision and is joined across partitions.
 *
 * <p>Call {@link #add} once per decision. Memory is constant, or one line per unit where standard
 * errors are to be robust against several decisions of one unit. Confined to one thread; parts are
 * joined with {@link #merge}, in any order, to the same result within 1e-12.
 *
 * <p>The spread comes from sums of products of terms, which loses digits where it is small beside
 * the terms. {@link #needsSecondPass} says so; then the same decisions are added to {@link
 * #secondPass}, which takes terms relative to their means. {@link Influence} always makes two.
 */
public final class StreamingEstimate {

  /*
   * Terms t, centre c (0 in a first pass), d = mean of t − c, gradient g:
   *
   *   Σψ² = gᵀ (Σ (t−c)(t−c)ᵀ − n·ddᵀ) g
   *
   * which is what EVALUATION.md A14 writes out for IPS, SNIPS and SNDR.
   */

  /** Below this share of the uncentred squares a spread is not to be trusted. */
  private static final double CANCELLED = 1e-12;

  private final Estimator estimator;
  private final boolean byUnit;
  private final int width;
  private final int positions;
  private final double[] centre;
  private final double[] terms;
  private final CompensatedSums sums;
  private final CompensatedSums products;
  private final UnitTotals units;
  private long decisions;

  private StreamingEstimate(Estimator estimator, int positions, boolean byUnit, double[] centre) {
    this.estimator = estimator;
    this.positions = positions;
    this.byUnit = byUnit;
    this.centre = centre;
    width = centre.length;
    terms = new double[width];
    sums = new CompensatedSums(width);
    products = new CompensatedSums(byUnit ? 0 : width * (width + 1) / 2);
    units = new UnitTotals(byUnit ? width : 0);
  }

  /** For logs in which no unit has two decisions. */
  public static StreamingEstimate perDecision(Estimator estimator, int positions) {
    return new StreamingEstimate(
        estimator, positions, false, new double[estimator.width(positions)]);
  }

  /** For logs in which a unit may have several decisions. */
  public static StreamingEstimate perUnit(Estimator estimator, int positions) {
    return new StreamingEstimate(
        estimator, positions, true, new double[estimator.width(positions)]);
  }

  public void add(long unit, DecisionRow decision) {
    estimator.terms(decision, terms);
    decisions++;
    for (int term = 0; term < width; term++) {
      terms[term] -= centre[term];
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
    if (!estimator.equals(other.estimator)
        || byUnit != other.byUnit
        || !Arrays.equals(centre, other.centre)) {
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
    double[] means = means();
    if (!estimator.isDefined(means)) {
      return new Estimate.Refused("NO_OVERLAP");
    }
    return StandardError.estimate(
        estimator.value(means),
        influenceSquares(gradient(means)),
        decisions,
        byUnit ? units.size() : decisions);
  }

  /** Whether so much of the spread cancelled out that its error says nothing. */
  public boolean needsSecondPass() {
    if (decisions == 0 || isSecondPass() || !estimator.isDefined(means())) {
      return false;
    }
    double[] gradient = gradient(means());
    return influenceSquares(gradient) < CANCELLED * uncentredSquares(gradient);
  }

  /** An empty estimate for the same decisions once more, which no longer cancels. */
  public StreamingEstimate secondPass() {
    if (decisions == 0) {
      throw new IllegalStateException("a second pass comes after a first");
    }
    return new StreamingEstimate(estimator, positions, byUnit, means());
  }

  private boolean isSecondPass() {
    for (double at : centre) {
      if (at != 0) {
        return true;
      }
    }
    return false;
  }

  private double[] means() {
    double[] means = fromCentre();
    for (int term = 0; term < width; term++) {
      means[term] += centre[term];
    }
    return means;
  }

  /** The means less the centre. */
  private double[] fromCentre() {
    double[] distance = new double[width];
    for (int term = 0; term < width; term++) {
      distance[term] = sums.get(term) / decisions;
    }
    return distance;
  }

  private double[] gradient(double[] means) {
    double[] gradient = new double[width];
    estimator.gradient(means, gradient);
    return gradient;
  }

  private double influenceSquares(double[] gradient) {
    double[] distance = fromCentre();
    if (byUnit) {
      return units.influenceSquares(distance, gradient);
    }
    CompensatedSums squares = new CompensatedSums(1);
    int product = 0;
    for (int left = 0; left < width; left++) {
      for (int right = 0; right <= left; right++) {
        double factor = (left == right ? 1 : 2) * gradient[left] * gradient[right];
        squares.add(0, factor * products.get(product++));
        squares.add(0, -factor * decisions * distance[left] * distance[right]);
      }
    }
    return Math.max(0, squares.get(0));
  }

  /** Σ over terms of (gradient·term)². */
  private double uncentredSquares(double[] gradient) {
    if (byUnit) {
      return units.uncentredSquares(gradient);
    }
    double squares = 0;
    int product = 0;
    for (int term = 0; term < width; term++) {
      product += term;
      squares += gradient[term] * gradient[term] * products.get(product++);
    }
    return squares;
  }
}
