package io.bellwether.evaluation.offpolicy;

import io.bellwether.evaluation.CompensatedSums;
import java.util.ArrayList;
import java.util.List;

/**
 * One value from the decisions of several logging policies: each policy's own estimate, weighted by
 * its decisions over the variance of its rows, so that a policy with wild weights counts little.
 *
 * <p>Where a policy's rows do not vary (one decision, or all rewards 0) or a decision's policy is
 * not known, those weights are undefined: then the estimate is the plain one over all decisions.
 *
 * <p>Source: Agarwal, Basu, Schnabel and Joachims, "Effective Evaluation using Logged Bandit
 * Feedback from Multiple Loggers", 2017 (weighted estimator).
 *
 * @param shares weight of each logging policy that has decisions, in the log's order, summing to 1;
 *     empty where the plain estimate stands
 * @param warning why the plain estimate stands, or empty
 */
public record WeightedLoggers(Estimate estimate, List<Double> shares, String warning) {
  static final String NO_SPREAD = "LOGGER_WITHOUT_SPREAD";
  static final String UNKNOWN = "LOGGER_UNKNOWN";

  /** Equal rows differ by less than this share of their square once they have been computed. */
  private static final double ROUNDING = 1e-24;

  /** One logging policy's decisions by themselves. */
  private record Stratum(Influence influence, double precision) {}

  public WeightedLoggers {
    shares = List.copyOf(shares);
  }

  /**
   * @param estimator a plain mean of rows, such as IPS or doubly robust
   * @param units of the whole log
   */
  public static WeightedLoggers of(Estimator estimator, DecisionColumns columns, UnitIndex units) {
    if (estimator.normalizes() || estimator.width(columns.positions()) != 1) {
      throw new IllegalArgumentException("'%s' is no mean of rows".formatted(estimator.name()));
    }
    if (columns.decisions() == 0) {
      return new WeightedLoggers(new Estimate.Refused("NO_ROWS"), List.of(), "");
    }
    List<Stratum> strata = new ArrayList<>();
    int known = 0;
    for (int logger = 0; logger < columns.log().loggers().size(); logger++) {
      DecisionColumns own = columns.ofLogger(logger);
      known += own.decisions();
      if (own.decisions() > 0) {
        strata.add(stratum(estimator, own));
      }
    }
    if (known < columns.decisions()) {
      return plain(estimator, columns, units, UNKNOWN);
    }
    return strata.stream().allMatch(stratum -> stratum.precision > 0)
        ? weighted(strata, units)
        : plain(estimator, columns, units, NO_SPREAD);
  }

  private static Stratum stratum(Estimator estimator, DecisionColumns columns) {
    Influence influence = Influence.of(estimator, columns).orElseThrow();
    double value = influence.value();
    double squares =
        columns
            .reduce(
                () -> new Squares(estimator, value),
                (part, decision, row) -> part.add(row),
                Squares::join)
            .total();
    double variance = squares / columns.decisions();
    return new Stratum(
        influence, variance > ROUNDING * value * value ? columns.decisions() / variance : 0);
  }

  private static WeightedLoggers weighted(List<Stratum> strata, UnitIndex units) {
    double total = strata.stream().mapToDouble(Stratum::precision).sum();
    List<Double> shares = strata.stream().map(stratum -> stratum.precision / total).toList();
    Influence combined = strata.get(0).influence;
    for (int at = 1; at < shares.size(); at++) {
      double before = at == 1 ? shares.get(0) : 1;
      combined = combined.combine(before, strata.get(at).influence, shares.get(at), 0);
    }
    return new WeightedLoggers(combined.estimate(units), shares, "");
  }

  private static WeightedLoggers plain(
      Estimator estimator, DecisionColumns columns, UnitIndex units, String warning) {
    Estimate estimate = Influence.of(estimator, columns).orElseThrow().estimate(units);
    return new WeightedLoggers(estimate, List.of(), warning);
  }

  /** Sum of squared distances of rows to their mean. Confined to one thread. */
  private static final class Squares {
    private final Estimator estimator;
    private final double mean;
    private final double[] term = new double[1];
    private final CompensatedSums sum = new CompensatedSums(1);

    Squares(Estimator estimator, double mean) {
      this.estimator = estimator;
      this.mean = mean;
    }

    void add(DecisionRow row) {
      estimator.terms(row, term);
      sum.add(0, (term[0] - mean) * (term[0] - mean));
    }

    Squares join(Squares other) {
      sum.merge(other.sum);
      return this;
    }

    double total() {
      return sum.get(0);
    }
  }
}
