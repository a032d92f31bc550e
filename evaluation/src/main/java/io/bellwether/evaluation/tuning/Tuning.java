package io.bellwether.evaluation.tuning;

import io.bellwether.evaluation.CompensatedSums;
import io.bellwether.evaluation.interval.StudentT;
import io.bellwether.evaluation.offpolicy.DecisionColumns;
import io.bellwether.evaluation.offpolicy.DecisionRow;
import io.bellwether.evaluation.offpolicy.Estimate;
import io.bellwether.evaluation.offpolicy.Estimator;
import io.bellwether.evaluation.offpolicy.Influence;
import io.bellwether.evaluation.offpolicy.UnitIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * A family's candidates on one log, and which of them each rule takes.
 *
 * <p>Choosing and evaluating on the same rows is tolerated for one number only.
 *
 * <p>Source of the mean squared errors: Su, Dimakopoulou, Krishnamurthy and Dudík, "Doubly Robust
 * Off-policy Evaluation with Shrinkage", 2020; the bound takes rewards to be of size 1.
 *
 * @param unlimited the candidate that changes no weight
 */
public record Tuning(
    Family family,
    List<Candidate> candidates,
    Candidate unlimited,
    Candidate byDirectMse,
    Candidate byBoundedMse,
    Candidate bySlope) {
  private static final double DOUBT = 0.1;

  public Tuning {
    candidates = List.copyOf(candidates);
  }

  /** Σw² and the largest w, w summed over a decision's positions. */
  private static final class Weights {
    private final CompensatedSums squares = new CompensatedSums(1);
    private double largest;

    void add(DecisionRow row) {
      double weight = row.totalWeight();
      squares.add(0, weight * weight);
      largest = Math.max(largest, weight);
    }

    Weights join(Weights other) {
      squares.merge(other.squares);
      largest = Math.max(largest, other.largest);
      return this;
    }

    /** √(2·mean(w²)·ln(2/δ)/n) + 2·max(w)·ln(2/δ)/(3n). */
    double chance(double n) {
      double log = Math.log(2 / DOUBT);
      return Math.sqrt(2 * squares.get(0) / n * log / n) + 2 * largest * log / (3 * n);
    }
  }

  /**
   * Tries the grid; empty where a standard error cannot be had or the family is not defined for
   * that many positions.
   *
   * @param grid parameters of the family, in the order in which they are listed
   * @param units of the whole log
   */
  public static Optional<Tuning> of(
      Family family, double[] grid, DecisionColumns columns, UnitIndex units) {
    if (grid.length == 0
        || columns.decisions() == 0
        || !family.with(family.unlimited()).suits(columns.positions())) {
      return Optional.empty();
    }
    List<Estimate.Estimated> estimates = estimates(family, grid, columns, units);
    if (estimates.size() <= grid.length) {
      return Optional.empty();
    }
    double chance =
        columns
            .reduce(Weights::new, (part, decision, row) -> part.add(row), Weights::join)
            .chance(columns.decisions());
    Estimate.Estimated plain = estimates.get(grid.length);
    List<Candidate> candidates = new ArrayList<>();
    for (int at = 0; at < grid.length; at++) {
      candidates.add(candidate(grid[at], estimates.get(at), plain, chance));
    }
    return Optional.of(
        new Tuning(
            family,
            candidates,
            candidate(family.unlimited(), plain, plain, chance),
            smallest(candidates, Candidate::meanSquaredError),
            smallest(candidates, Candidate::boundedMeanSquaredError),
            bySlope(candidates)));
  }

  public Candidate selected(Rule rule) {
    return switch (rule) {
      case DIRECT_MSE -> byDirectMse;
      case BOUNDED_MSE -> byBoundedMse;
      case SLOPE -> bySlope;
    };
  }

  /**
   * Those of the grid and, last, the unlimited one; those without a standard error are left out.
   */
  private static List<Estimate.Estimated> estimates(
      Family family, double[] grid, DecisionColumns columns, UnitIndex units) {
    List<Estimator> estimators = new ArrayList<>();
    for (double parameter : grid) {
      estimators.add(family.with(parameter));
    }
    estimators.add(family.with(family.unlimited()));
    List<Influence> influences =
        Influence.ofAll(estimators, columns).stream().flatMap(Optional::stream).toList();
    return Influence.estimates(influences, units).stream()
        .filter(Estimate.Estimated.class::isInstance)
        .map(Estimate.Estimated.class::cast)
        .toList();
  }

  /** What changed weights take away on average is the difference of the two values. */
  private static Candidate candidate(
      double parameter, Estimate.Estimated tried, Estimate.Estimated plain, double chance) {
    double units = tried.units();
    double variance = tried.standardError() * tried.standardError() * (units - 1) / units;
    double bias = Math.abs(plain.value() - tried.value());
    double bounded = bias + chance;
    return new Candidate(
        parameter,
        tried.value(),
        tried.standardError(),
        StudentT.quantile(1 - DOUBT, units - 1) * tried.standardError(),
        bias,
        bounded,
        variance + bias * bias,
        variance + bounded * bounded);
  }

  private static Candidate smallest(List<Candidate> candidates, ToDoubleFunction<Candidate> error) {
    Candidate best = candidates.get(0);
    for (Candidate each : candidates) {
      best = error.applyAsDouble(each) < error.applyAsDouble(best) ? each : best;
    }
    return best;
  }

  private static Candidate bySlope(List<Candidate> candidates) {
    double[] values = candidates.stream().mapToDouble(Candidate::value).toArray();
    double[] widths = candidates.stream().mapToDouble(Candidate::halfWidth).toArray();
    return candidates.get(Slope.select(values, widths));
  }
}
