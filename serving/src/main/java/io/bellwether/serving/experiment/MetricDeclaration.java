package io.bellwether.serving.experiment;

import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A number on which variants are compared.
 *
 * @param name distinct within the experiment
 * @param signal of the surface
 * @param kind how a unit's signal values become its number
 * @param denominator for {@link Kind#RATIO} and nothing else, another signal
 * @param quantile for {@link Kind#QUANTILE} and nothing else, in (0, 1)
 * @param winsorize percentile in (0, 1) at which units' totals are capped; empty: not at all
 * @param covariate whether the same number of the pre-period reduces the variance (CUPED)
 * @param direction which way is better
 * @param margin for a guardrail, how much worse is still harmless
 */
public record MetricDeclaration(
    String name,
    String signal,
    MetricDeclaration.Kind kind,
    Optional<String> denominator,
    OptionalDouble quantile,
    OptionalDouble winsorize,
    boolean covariate,
    Direction direction,
    Optional<Margin> margin) {

  /** How a unit's signal values become its number. */
  public enum Kind {
    /** A unit's total. */
    MEAN,
    /** A unit's total divided by its decisions, as a ratio of sums. */
    PER_DECISION,
    /** Whether a unit had any. */
    CONVERSION,
    /** One signal's total divided by another's, as a ratio of sums. */
    RATIO,
    /** A quantile of units' totals. */
    QUANTILE
  }

  /** Which way is better. */
  public enum Direction {
    UP,
    DOWN
  }

  /** How far a treatment may be on the worse side of control. */
  public record Margin(Margin.Kind kind, double value) {

    /** How a margin's value is meant. */
    public enum Kind {
      /** A share of the control's value, at least 0. */
      RELATIVE,
      /** A difference from the control's value in the metric's unit, at least 0. */
      ABSOLUTE,
      /** The limit of the treatment's own value: at least with UP, at most with DOWN. */
      BOUND
    }
  }
}
