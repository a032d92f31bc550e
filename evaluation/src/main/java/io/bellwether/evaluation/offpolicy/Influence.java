package io.bellwether.evaluation.offpolicy;

import io.bellwether.evaluation.CompensatedSums;
import java.util.Optional;

/**
 * An estimator's value with one influence value ψ per decision, or per episode (mean zero).
 * Differences and ratios of estimates on the same decisions are differences of ψ: that is what
 * pairing means. Immutable.
 *
 * <p>Computed in two passes over columns, so that no digit is lost to cancellation.
 */
public final class Influence {
  private final double value;
  private final double[] rows;

  private Influence(double value, double[] rows) {
    this.value = value;
    this.rows = rows;
  }

  /** The columns' estimate; empty where there are no decisions or a normaliser is 0. */
  public static Optional<Influence> of(Estimator estimator, DecisionColumns columns) {
    if (columns.decisions() == 0) {
      return Optional.empty();
    }
    double[] means = means(estimator, columns);
    if (!estimator.isDefined(means)) {
      return Optional.empty();
    }
    double[] gradient = new double[means.length];
    estimator.gradient(means, gradient);
    double[] terms = new double[means.length];
    double[] rows = new double[columns.decisions()];
    DecisionRow row = columns.newRow();
    for (int decision = 0; decision < rows.length; decision++) {
      columns.read(decision, row);
      estimator.terms(row, terms);
      double influence = 0;
      for (int term = 0; term < terms.length; term++) {
        influence += gradient[term] * (terms[term] - means[term]);
      }
      rows[decision] = influence;
    }
    return Optional.of(new Influence(estimator.value(means), rows));
  }

  /** A value with influence values that were computed elsewhere; the array is not copied. */
  static Influence of(double value, double[] rows) {
    return new Influence(value, rows);
  }

  private static double[] means(Estimator estimator, DecisionColumns columns) {
    DecisionRow row = columns.newRow();
    double[] terms = new double[estimator.width(row.positions())];
    CompensatedSums sums = new CompensatedSums(terms.length);
    for (int decision = 0; decision < columns.decisions(); decision++) {
      columns.read(decision, row);
      estimator.terms(row, terms);
      for (int term = 0; term < terms.length; term++) {
        sums.add(term, terms[term]);
      }
    }
    double[] means = new double[terms.length];
    for (int term = 0; term < terms.length; term++) {
      means[term] = sums.get(term) / columns.decisions();
    }
    return means;
  }

  public double value() {
    return value;
  }

  /** {@code factor·this + otherFactor·other + constant}, decision by decision. */
  public Influence combine(double factor, Influence other, double otherFactor, double constant) {
    double[] combined = new double[rows.length];
    for (int decision = 0; decision < combined.length; decision++) {
      combined[decision] = factor * rows[decision] + otherFactor * other.rows[decision];
    }
    return new Influence(factor * value + otherFactor * other.value + constant, combined);
  }

  /** {@code this / baseline − 1}; the baseline's value must not be 0. */
  public Influence relativeTo(Influence baseline) {
    double scale = 1 / baseline.value;
    Influence ratio = combine(scale, baseline, -value * scale * scale, 0);
    return new Influence(value * scale - 1, ratio.rows);
  }

  /** The value with its standard error, cluster-robust where a unit has several decisions. */
  public Estimate estimate(UnitIndex units) {
    return StandardError.estimate(value, squares(units), rows.length, units.count());
  }

  private double squares(UnitIndex units) {
    double[] byUnit = new double[units.count()];
    for (int decision = 0; decision < rows.length; decision++) {
      byUnit[units.unitOf(decision)] += rows[decision];
    }
    CompensatedSums squares = new CompensatedSums(1);
    for (double influence : byUnit) {
      squares.add(0, influence * influence);
    }
    return squares.get(0);
  }
}
