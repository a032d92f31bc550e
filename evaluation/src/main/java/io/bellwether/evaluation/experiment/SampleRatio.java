package io.bellwether.evaluation.experiment;

import io.bellwether.evaluation.interval.ChiSquare;
import io.bellwether.evaluation.interval.LogGamma;
import java.util.Arrays;
import java.util.OptionalDouble;

/**
 * Whether chance explains how the units of one phase are split between its variants. Immutable.
 *
 * <p>Source of the sequential test: Lindon and Malek, "Anytime-Valid Inference for Multinomial
 * Count Data", 2022: a Dirichlet prior around the declared shares.
 */
public final class SampleRatio {
  /** Units that the prior is worth: a split further from the declared one was never likely. */
  private static final double CONCENTRATION = 100;

  private final double[] shares;

  private SampleRatio(double[] shares) {
    this.shares = shares;
  }

  /**
   * The expected split.
   *
   * @param weights of the variants, all above 0 in any unit; a variant that gets nothing is left
   *     out
   */
  public static SampleRatio of(double... weights) {
    if (weights.length < 2) {
      throw new IllegalArgumentException("a split has two sides, found " + weights.length);
    }
    double total = 0;
    for (double weight : weights) {
      if (!(weight > 0 && weight < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException("weights above 0, found " + Arrays.toString(weights));
      }
      total += weight;
    }
    double[] shares = weights.clone();
    for (int variant = 0; variant < shares.length; variant++) {
      shares[variant] /= total;
    }
    return new SampleRatio(shares);
  }

  /** Pearson's statistic, with one degree of freedom less than variants; at least one unit. */
  public double chiSquare(long... units) {
    double total = total(units);
    double sum = 0;
    for (int variant = 0; variant < shares.length; variant++) {
      double expected = shares[variant] * total;
      double distance = units[variant] - expected;
      sum += distance * distance / expected;
    }
    return sum;
  }

  /** The p-value of one planned look; empty before the first unit. */
  public OptionalDouble chiSquareP(long... units) {
    return total(units) == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(ChiSquare.survival(chiSquare(units), shares.length - 1.0));
  }

  /**
   * The p-value of this look at a split that is looked at again and again, however few the units.
   */
  public double sequentialP(long... units) {
    return Math.min(1, Math.exp(-logBayesFactor(units)));
  }

  /**
   * Logarithm of the Bayes factor against the declared split; 0 before the first unit. At most
   * alpha of all fair splits ever reach ln 1/alpha.
   */
  public double logBayesFactor(long... units) {
    double total = total(units);
    double sum = LogGamma.of(CONCENTRATION) - LogGamma.of(CONCENTRATION + total);
    for (int variant = 0; variant < shares.length; variant++) {
      double prior = CONCENTRATION * shares[variant];
      sum += LogGamma.of(prior + units[variant]) - LogGamma.of(prior);
      sum -= units[variant] * Math.log(shares[variant]);
    }
    return sum;
  }

  private double total(long[] units) {
    if (units.length != shares.length) {
      throw new IllegalArgumentException(
          "%d counts of %d variants".formatted(units.length, shares.length));
    }
    double total = 0;
    for (long count : units) {
      if (count < 0) {
        throw new IllegalArgumentException("a count is at least 0: " + Arrays.toString(units));
      }
      total += count;
    }
    return total;
  }
}
