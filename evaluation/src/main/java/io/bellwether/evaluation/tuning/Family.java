package io.bellwether.evaluation.tuning;

import io.bellwether.evaluation.offpolicy.ClippedDoublyRobust;
import io.bellwether.evaluation.offpolicy.ClippedIps;
import io.bellwether.evaluation.offpolicy.Estimator;
import io.bellwether.evaluation.offpolicy.ShrunkDoublyRobust;
import io.bellwether.evaluation.offpolicy.SubGaussianDoublyRobust;
import io.bellwether.evaluation.offpolicy.SubGaussianIps;
import io.bellwether.evaluation.offpolicy.SwitchDoublyRobust;
import java.util.Arrays;
import java.util.stream.DoubleStream;

/**
 * Estimators that differ in one number, which buys less variance with bias: the further from {@link
 * #unlimited}, the more of both.
 */
public enum Family {
  IPS_CLIPPED {
    @Override
    public Estimator with(double parameter) {
      return new ClippedIps(parameter);
    }
  },
  DR_CLIPPED {
    @Override
    public Estimator with(double parameter) {
      return new ClippedDoublyRobust(parameter);
    }
  },
  SWITCH_DR {
    @Override
    public Estimator with(double parameter) {
      return new SwitchDoublyRobust(parameter);
    }
  },
  DR_SHRUNK {
    @Override
    public Estimator with(double parameter) {
      return new ShrunkDoublyRobust(parameter);
    }

    @Override
    public double[] grid(double... weightQuantiles) {
      return new double[] {Double.POSITIVE_INFINITY, 1000, 125, 25, 5, 1};
    }
  },
  SG_IPS {
    @Override
    public Estimator with(double parameter) {
      return new SubGaussianIps(parameter);
    }

    @Override
    public double unlimited() {
      return 0;
    }

    @Override
    public double[] grid(double... weightQuantiles) {
      return SUB_GAUSSIAN.clone();
    }
  },
  SG_DR {
    @Override
    public Estimator with(double parameter) {
      return new SubGaussianDoublyRobust(parameter);
    }

    @Override
    public double unlimited() {
      return 0;
    }

    @Override
    public double[] grid(double... weightQuantiles) {
      return SUB_GAUSSIAN.clone();
    }
  };

  private static final double[] SUB_GAUSSIAN = {0, 0.01, 0.05, 0.1, 0.3};
  private static final double[] CUTS = {Double.POSITIVE_INFINITY, 16, 8, 4, 2, 1, 0.5};

  public abstract Estimator with(double parameter);

  /** The parameter that changes no weight. */
  public double unlimited() {
    return Double.POSITIVE_INFINITY;
  }

  /** The estimators' name in reports. */
  public String label() {
    return with(unlimited()).name();
  }

  /**
   * The parameters to try, the unlimited one first.
   *
   * @param weightQuantiles of the log's weights, such as the 90, 95 and 99 % ones; used by families
   *     that cut weights
   */
  public double[] grid(double... weightQuantiles) {
    double[] ascending =
        DoubleStream.concat(Arrays.stream(CUTS), Arrays.stream(weightQuantiles))
            .filter(cut -> cut > 0)
            .distinct()
            .sorted()
            .toArray();
    double[] grid = new double[ascending.length];
    Arrays.setAll(grid, index -> ascending[ascending.length - 1 - index]);
    return grid;
  }
}
