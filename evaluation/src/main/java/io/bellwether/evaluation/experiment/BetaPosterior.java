package io.bellwether.evaluation.experiment;

import io.bellwether.evaluation.interval.Beta;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * What one believes about a rate after having seen successes and failures. Immutable.
 *
 * @param alpha successes, and 1 of the uniform prior
 * @param beta failures, and 1 of the uniform prior
 */
public record BetaPosterior(double alpha, double beta) {
  /** What the quadrature leaves out on each side. */
  private static final double TAIL = 1e-20;

  private static final int PANELS = 24;

  public BetaPosterior {
    if (!(alpha >= 1 && alpha < Double.POSITIVE_INFINITY)
        || !(beta >= 1 && beta < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("shapes from 1 on, found %s, %s".formatted(alpha, beta));
    }
  }

  public static BetaPosterior of(long successes, long trials) {
    if (successes < 0 || trials < successes) {
      throw new IllegalArgumentException("%d successes of %d".formatted(successes, trials));
    }
    return new BetaPosterior(successes + 1.0, trials - successes + 1.0);
  }

  public double mean() {
    return alpha / (alpha + beta);
  }

  /** That this rate is above the other. */
  public double chanceAbove(BetaPosterior other) {
    return Math.min(
        1, where(other).integral(rate -> Beta.density(rate, alpha, beta) * other.below(rate)));
  }

  /** What choosing this rate costs on average: E[(other − this)⁺] = ∫ P(this < x < other) dx. */
  public double lossAgainst(BetaPosterior other) {
    return where(other).integral(rate -> below(rate) * other.above(rate));
  }

  /** Fine enough for either where it bends. */
  private Quadrature where(BetaPosterior other) {
    return Quadrature.panels(
        DoubleStream.concat(edges(), other.edges()).sorted().distinct().toArray());
  }

  private DoubleStream edges() {
    double low = Beta.quantile(TAIL, alpha, beta);
    double high = 1 - Beta.quantile(TAIL, beta, alpha);
    return IntStream.rangeClosed(0, PANELS).mapToDouble(edge -> low + (high - low) * edge / PANELS);
  }

  private double below(double rate) {
    return Beta.cumulative(rate, alpha, beta);
  }

  private double above(double rate) {
    return Beta.cumulative(1 - rate, beta, alpha);
  }
}
