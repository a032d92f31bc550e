package io.bellwether.trainer.algorithm;

/**
 * A limit on the mean of a signal per row that the trained policy has to keep.
 *
 * @param signal index of the signal, at least 1 (0 is the objective)
 * @param sense on which side of the bound the promise lies
 * @param bound where the bound lies
 */
public record Promise(int signal, Sense sense, Bound bound) {

  /** The side of the bound on which a promise is kept. */
  public enum Sense {
    AT_LEAST(1),
    AT_MOST(-1);

    private final int sign;

    Sense(int sign) {
      this.sign = sign;
    }

    /** 1 where more is better, -1 where less is. */
    int sign() {
      return sign;
    }
  }

  /** Where the bound of a promise lies. */
  public sealed interface Bound {

    /** The bound in the signal's unit, given the mean of the signal in the log. */
    double value(double logMean);

    /** How the bound moves with the mean of the log, for the error of their difference. */
    double slope();
  }

  /** A bound in the signal's own unit. */
  public record Absolute(double limit) implements Bound {
    @Override
    public double value(double logMean) {
      return limit;
    }

    @Override
    public double slope() {
      return 0;
    }
  }

  /** A share of what the logging policy reached in the same rows. */
  public record ShareOfLog(double share) implements Bound {
    @Override
    public double value(double logMean) {
      return share * logMean;
    }

    @Override
    public double slope() {
      return share;
    }
  }

  public Promise {
    if (signal < 1) {
      throw new IllegalArgumentException(
          "a promise is about a signal beside the objective, not signal " + signal);
    }
  }
}
