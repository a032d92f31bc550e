package io.bellwether.evaluation.offpolicy;

/**
 * A rule from logged decisions to an estimate of the target policy's value per decision (the sum of
 * the rewards of its positions).
 *
 * <p>Every rule here is a smooth function of the means of a few <em>terms</em> of each decision.
 * The value is that function; its gradient times the centred terms is the decision's influence ψ
 * (mean zero), and from ψ follow the standard error √(Σψ²/(n(n−1))), its cluster-robust form,
 * paired differences and relative lifts. Implementations are immutable.
 */
public sealed interface Estimator permits MeanEstimator, RatioEstimator {

  /** Short name for reports, such as {@code sndr}. */
  String name();

  /** Whether it needs the reward model's columns. */
  boolean usesModel();

  /** Whether it divides by the mean weight. */
  boolean normalizes();

  /** Whether it is defined for decisions with that many positions. */
  default boolean suits(int positions) {
    return positions >= 1;
  }

  /**
   * Whether the columns hold the weights that it reads; prefix weights are always there. Where it
   * is false, weights read as 1 and a value would be that of the logging policy.
   */
  default boolean readable(DecisionColumns columns) {
    return true;
  }

  /** The weight that it gives a decision at a position, by default that of the prefix. */
  default double weight(DecisionRow decision, int position) {
    return decision.weight[position];
  }

  /** How many terms a decision with that many positions has. */
  int width(int positions);

  /** Writes a decision's terms into the first {@code width} places of {@code terms}. */
  void terms(DecisionRow row, double[] terms);

  /** Whether the means allow a value: false where a normaliser is 0 (no overlap). */
  boolean isDefined(double[] means);

  double value(double[] means);

  /** Writes the derivative of the value by each mean. */
  void gradient(double[] means, double[] gradient);
}
