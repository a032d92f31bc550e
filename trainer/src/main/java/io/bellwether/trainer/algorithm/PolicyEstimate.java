package io.bellwether.trainer.algorithm;

/**
 * What a policy reaches of each signal, and what the log reached, from the same rows.
 *
 * @param mean estimated mean of each signal under the policy
 * @param logMean mean of each signal under the logging policy
 * @param influence {@code [signal][row]}: what each row adds to the error of {@code mean}, times
 *     the number of rows
 * @param logInfluence the same of {@code logMean}
 * @param effectiveSampleSize {@code (Σw)² / Σw²} of the rows' weights
 */
@SuppressWarnings("ArrayRecordComponent")
record PolicyEstimate(
    double[] mean,
    double[] logMean,
    double[][] influence,
    double[][] logInfluence,
    double effectiveSampleSize) {

  static final double LARGEST_WEIGHT = 10;

  /**
   * By self-normalised importance weighting of logged rewards.
   *
   * @param weights per row, at least 0, clipped at {@link #LARGEST_WEIGHT} by the caller
   * @param rewards {@code rewards[row * S + signal]} in the signals' units
   */
  static PolicyEstimate of(double[] weights, float[] rewards, int signals) {
    int rows = weights.length;
    double[] mean = new double[signals];
    double[] logMean = new double[signals];
    double sum = 0;
    double squares = 0;
    for (int row = 0; row < rows; row++) {
      sum += weights[row];
      squares += weights[row] * weights[row];
      for (int signal = 0; signal < signals; signal++) {
        double reward = rewards[row * signals + signal];
        mean[signal] += weights[row] * reward;
        logMean[signal] += reward;
      }
    }
    double[][] influence = new double[signals][rows];
    double[][] logInfluence = new double[signals][rows];
    for (int signal = 0; signal < signals; signal++) {
      mean[signal] /= sum;
      logMean[signal] /= rows;
      for (int row = 0; row < rows; row++) {
        double reward = rewards[row * signals + signal];
        influence[signal][row] = weights[row] * rows / sum * (reward - mean[signal]);
        logInfluence[signal][row] = reward - logMean[signal];
      }
    }
    return new PolicyEstimate(mean, logMean, influence, logInfluence, sum * sum / squares);
  }

  /**
   * By what a critic expects from first states on.
   *
   * @param values {@code [signal][row]}: the policy's value from each first state on
   * @param returns {@code [signal][row]}: the return that was logged from there
   */
  static PolicyEstimate ofValues(double[][] values, double[][] returns) {
    double[] mean = new double[values.length];
    double[] logMean = new double[values.length];
    double[][] influence = new double[values.length][];
    double[][] logInfluence = new double[values.length][];
    for (int signal = 0; signal < values.length; signal++) {
      mean[signal] = meanOf(values[signal]);
      logMean[signal] = meanOf(returns[signal]);
      influence[signal] = centred(values[signal], mean[signal]);
      logInfluence[signal] = centred(returns[signal], logMean[signal]);
    }
    return new PolicyEstimate(mean, logMean, influence, logInfluence, values[0].length);
  }

  private static double meanOf(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return sum / values.length;
  }

  private static double[] centred(double[] values, double mean) {
    double[] centred = new double[values.length];
    for (int row = 0; row < centred.length; row++) {
      centred[row] = values[row] - mean;
    }
    return centred;
  }

  double bound(Promise promise) {
    return promise.bound().value(logMean[promise.signal()]);
  }

  /**
   * Standard error of the estimate less the bound, by the delta method. A bound that is a share of
   * the log moves with the same rows, which makes the difference surer than its parts.
   */
  double standardError(Promise promise) {
    double[] own = influence[promise.signal()];
    double[] log = logInfluence[promise.signal()];
    double squares = 0;
    for (int row = 0; row < own.length; row++) {
      double difference = own[row] - promise.bound().slope() * log[row];
      squares += difference * difference;
    }
    return Math.sqrt(squares) / own.length;
  }

  /**
   * How far the promise is from being kept with a margin of standard errors, as a share of its
   * bound.
   */
  double shortfall(Promise promise, double margin) {
    double bound = bound(promise);
    double room = promise.sense().sign() * (mean[promise.signal()] - bound);
    double unit = Math.max(Math.abs(bound), 1e-9);
    return (margin * standardError(promise) - room) / unit;
  }
}
