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
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

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
   * What is tried of a family.
   *
   * @param parameters of the family, in the order in which they are listed
   */
  @SuppressWarnings("ArrayRecordComponent") // read once, not compared
  public record Grid(Family family, double[] parameters) {

    private boolean suits(int positions) {
      return parameters.length > 0 && family.with(family.unlimited()).suits(positions);
    }

    /** With the unlimited one at the end where it is not among them. */
    private double[] withUnlimited() {
      return DoubleStream.concat(Arrays.stream(parameters), DoubleStream.of(family.unlimited()))
          .distinct()
          .toArray();
    }
  }

  /**
   * Tries a grid; empty where a standard error cannot be had or the family is not defined for that
   * many positions.
   *
   * @param units of the whole log
   */
  public static Optional<Tuning> of(
      Family family, double[] grid, DecisionColumns columns, UnitIndex units) {
    return ofAll(List.of(new Grid(family, grid)), columns, units).stream().findFirst();
  }

  /** Tries several grids with the passes of one; those that would be empty are left out. */
  public static List<Tuning> ofAll(List<Grid> grids, DecisionColumns columns, UnitIndex units) {
    List<Grid> suitable =
        columns.decisions() == 0
            ? List.of()
            : grids.stream().filter(grid -> grid.suits(columns.positions())).toList();
    if (suitable.isEmpty()) {
      return List.of();
    }
    List<Estimate> estimates = estimates(suitable, columns, units);
    double chance =
        columns
            .reduce(Weights::new, (part, decision, row) -> part.add(row), Weights::join)
            .chance(columns.decisions());
    List<Tuning> tunings = new ArrayList<>();
    int next = 0;
    for (Grid grid : suitable) {
      double[] tried = grid.withUnlimited();
      of(grid, tried, estimates.subList(next, next + tried.length), chance).ifPresent(tunings::add);
      next += tried.length;
    }
    return tunings;
  }

  private static Optional<Tuning> of(
      Grid grid, double[] tried, List<Estimate> estimates, double chance) {
    Map<Double, Estimate.Estimated> known = new HashMap<>();
    for (int at = 0; at < tried.length; at++) {
      if (estimates.get(at) instanceof Estimate.Estimated estimated) {
        known.put(tried[at], estimated);
      }
    }
    Family family = grid.family;
    Estimate.Estimated plain = known.get(family.unlimited());
    if (plain == null || known.size() < tried.length) {
      return Optional.empty();
    }
    List<Candidate> candidates = new ArrayList<>();
    for (double parameter : grid.parameters) {
      Estimate.Estimated estimated = Objects.requireNonNull(known.get(parameter));
      candidates.add(candidate(parameter, estimated, plain, chance));
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

  /** Of all grids one after another; these are means of rows, which always have a value. */
  private static List<Estimate> estimates(
      List<Grid> grids, DecisionColumns columns, UnitIndex units) {
    List<Estimator> estimators = new ArrayList<>();
    for (Grid grid : grids) {
      for (double parameter : grid.withUnlimited()) {
        estimators.add(grid.family.with(parameter));
      }
    }
    List<Influence> influences =
        Influence.ofAll(estimators, columns).stream().map(Optional::orElseThrow).toList();
    return Influence.estimates(influences, units);
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
