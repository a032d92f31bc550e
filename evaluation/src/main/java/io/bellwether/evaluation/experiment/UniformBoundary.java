package io.bellwether.evaluation.experiment;

import io.bellwether.evaluation.interval.ChiSquare;
import io.bellwether.evaluation.interval.LogGamma;
import io.bellwether.evaluation.interval.Normal;
import java.util.function.DoubleUnaryOperator;

/**
 * A curve that a sum of independent, centred numbers ever crosses with probability at most alpha,
 * as a function of the variance that has added up.
 *
 * <p>Source: Howard, Ramdas, McAuliffe and Sekhon, "Time-uniform, Nonparametric, Nonasymptotic
 * Confidence Sequences", 2021.
 */
public sealed interface UniformBoundary {

  /** How far the sum may go when its summands' variances have added up to {@code variance} > 0. */
  double at(double variance);

  /** For |sum| of sub-Gaussian numbers; tightest at {@code tightestAt}. */
  record TwoSidedNormalMixture(double alpha, double tightestAt) implements UniformBoundary {
    public TwoSidedNormalMixture {
      check(alpha, tightestAt);
    }

    @Override
    public double at(double variance) {
      double rho = rho(alpha, tightestAt);
      return Math.sqrt((variance + rho) * (Math.log1p(variance / rho) - 2 * Math.log(alpha)));
    }
  }

  /** For the sum of sub-Gaussian numbers on its upper side; tightest at {@code tightestAt}. */
  record OneSidedNormalMixture(double alpha, double tightestAt) implements UniformBoundary {
    public OneSidedNormalMixture {
      check(alpha, tightestAt);
    }

    @Override
    public double at(double variance) {
      double rho = rho(2 * alpha, tightestAt);
      double total = variance + rho;
      double constant = Math.log(4 * rho / total) / 2 + Math.log(alpha);
      return ascendingRoot(
          u -> constant + u * u / (2 * total) + Math.log(Normal.cumulative(u / Math.sqrt(total))),
          Math.sqrt(total));
    }
  }

  /**
   * For the upper side of sums whose tails are heavier than normal (sub-exponential, as of bounded
   * or gamma-like numbers); tightest at {@code tightestAt}.
   *
   * @param scale c of the tail, above 0, in the unit of the numbers
   */
  record GammaExponentialMixture(double alpha, double tightestAt, double scale)
      implements UniformBoundary {
    public GammaExponentialMixture {
      check(alpha, tightestAt);
      if (!(scale > 0)) {
        throw new IllegalArgumentException("a scale above 0, found " + scale);
      }
    }

    @Override
    public double at(double variance) {
      double square = scale * scale;
      double prior = rho(2 * alpha, tightestAt) / square;
      double k = prior + variance / square;
      double constant =
          prior * Math.log(prior)
              - LogGamma.of(prior)
              - logGammaCumulative(prior, prior)
              + LogGamma.of(k)
              + Math.log(alpha);
      return ascendingRoot(
          u -> {
            double x = k + u / scale;
            return constant
                + logGammaCumulative(k, x)
                - k * Math.log(x)
                + u / scale
                + variance / square;
          },
          Math.sqrt(variance));
    }

    /** ln P(shape, x), the regularised lower incomplete gamma function. */
    private static double logGammaCumulative(double shape, double x) {
      return Math.log(ChiSquare.cumulative(2 * x, 2 * shape));
    }
  }

  /**
   * For the upper side, close to the law of the iterated logarithm: never tightest anywhere, never
   * bad for long.
   *
   * @param from the variance from which on it holds tightly, above 0
   * @param scale c of the tail, 0 for sub-Gaussian numbers
   * @param power s above 1: how the error is divided between epochs
   * @param growth η above 1: how much longer each epoch is than the one before
   */
  record PolynomialStitching(double alpha, double from, double scale, double power, double growth)
      implements UniformBoundary {
    public PolynomialStitching {
      check(alpha, from);
      if (!(scale >= 0) || !(power > 1) || !(growth > 1)) {
        throw new IllegalArgumentException(
            "scale %s, power %s, growth %s".formatted(scale, power, growth));
      }
    }

    /** With the source's power of 1.4 and epochs that double. */
    public static PolynomialStitching from(double from, double scale, double alpha) {
      return new PolynomialStitching(alpha, from, scale, 1.4, 2);
    }

    @Override
    public double at(double variance) {
      double v = Math.max(variance, from);
      double quarter = Math.sqrt(Math.sqrt(growth));
      double k1 = (quarter + 1 / quarter) / Math.sqrt(2);
      double k2 = (Math.sqrt(growth) + 1) / 2;
      double epochs =
          power * Math.log(Math.log(growth * v / from))
              + Math.log(zeta(power))
              - power * Math.log(Math.log(growth))
              - Math.log(alpha);
      double tail = k2 * scale * epochs;
      return Math.sqrt(k1 * k1 * v * epochs + tail * tail) + tail;
    }

    /** Riemann's ζ by Euler and Maclaurin: 20 terms and three corrections leave below 1e-14. */
    private static double zeta(double s) {
      int terms = 20;
      double sum = 0;
      for (int n = terms - 1; n >= 1; n--) {
        sum += Math.pow(n, -s);
      }
      double last = Math.pow(terms, -s);
      double square = (double) terms * terms;
      double correction =
          s / (12 * terms)
              - s * (s + 1) * (s + 2) / (720 * terms * square)
              + s * (s + 1) * (s + 2) * (s + 3) * (s + 4) / (30_240 * terms * square * square);
      return sum + last * (terms / (s - 1) + 0.5 + correction);
    }
  }

  private static double rho(double error, double tightestAt) {
    double logarithm = -2 * Math.log(error);
    return tightestAt / (logarithm + Math.log1p(logarithm));
  }

  private static double ascendingRoot(DoubleUnaryOperator function, double firstGuess) {
    double high = firstGuess;
    while (function.applyAsDouble(high) < 0) {
      high *= 2;
    }
    return Root.of(function, 0, high);
  }

  private static void check(double alpha, double variance) {
    if (!(alpha > 0 && alpha < 0.5) || !(variance > 0 && variance < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("alpha %s, variance %s".formatted(alpha, variance));
    }
  }
}
