package io.bellwether.evaluation.report;

import io.bellwether.evaluation.offpolicy.Estimate;
import java.util.List;

/**
 * How a signal's amount per decision would be distributed under the target policy: the weighted
 * empirical distribution.
 *
 * @param reason why there is none, or empty
 */
public record Distribution(
    String signal, List<Quantile> quantiles, List<Tail> tails, List<Point> cdf, String reason) {

  /**
   * The smallest amount that a share of decisions does not exceed.
   *
   * @param probability that share
   */
  public record Quantile(double probability, double value, Bounds interval) {}

  /**
   * The mean of the decisions at one end: conditional value at risk.
   *
   * @param end {@code lower} or {@code upper}
   * @param share of the decisions, in (0, 1)
   */
  public record Tail(String end, double share, Estimate mean, Bounds interval) {}

  /** P(amount ≤ value) with its standard error. */
  public record Point(double value, double probability, double standardError) {}

  public Distribution {
    quantiles = List.copyOf(quantiles);
    tails = List.copyOf(tails);
    cdf = List.copyOf(cdf);
  }
}
