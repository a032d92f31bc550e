package io.bellwether.evaluation.experiment;

import java.util.List;
import java.util.OptionalDouble;

/**
 * A smooth function of the columns' means, and the sum of columns that has its variance: a unit's
 * influence on the value (delta method).
 */
sealed interface Linear {

  /** What it needs. */
  List<String> columns();

  /** Of at least one unit; empty where it would divide by zero. */
  OptionalDouble value(Moments moments);

  /** Factors of the columns at these means, where there is a value. */
  double[] influence(Moments moments);

  /** What the variance of a value of so many units is multiplied by. */
  default double varianceFactor(long units) {
    return 1;
  }

  record OfMean(String column) implements Linear {
    @Override
    public List<String> columns() {
      return List.of(column);
    }

    @Override
    public OptionalDouble value(Moments moments) {
      return OptionalDouble.of(moments.mean(column));
    }

    @Override
    public double[] influence(Moments moments) {
      double[] factors = new double[moments.columns().size()];
      factors[moments.index(column)] = 1;
      return factors;
    }
  }

  /** Mean of a column of zeros and ones with the variance p(1 − p), without n/(n − 1). */
  record OfShare(OfMean mean) implements Linear {
    @Override
    public List<String> columns() {
      return mean.columns();
    }

    @Override
    public OptionalDouble value(Moments moments) {
      return mean.value(moments);
    }

    @Override
    public double[] influence(Moments moments) {
      return mean.influence(moments);
    }

    @Override
    public double varianceFactor(long units) {
      return (units - 1.0) / units;
    }
  }

  record OfRatio(String numerator, String denominator) implements Linear {
    @Override
    public List<String> columns() {
      return List.of(numerator, denominator);
    }

    @Override
    public OptionalDouble value(Moments moments) {
      double below = moments.sum(denominator);
      return below == 0
          ? OptionalDouble.empty()
          : OptionalDouble.of(moments.sum(numerator) / below);
    }

    @Override
    public double[] influence(Moments moments) {
      double below = moments.mean(denominator);
      double[] factors = new double[moments.columns().size()];
      factors[moments.index(numerator)] += 1 / below;
      factors[moments.index(denominator)] -=
          moments.sum(numerator) / moments.sum(denominator) / below;
      return factors;
    }
  }
}
