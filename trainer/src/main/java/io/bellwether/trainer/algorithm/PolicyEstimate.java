package io.bellwether.trainer.algorithm;

/**
 * What a policy would have reached in logged rows, per signal and row, by self-normalised
 * importance weighting with weights clipped at 10.
 *
 * @param mean estimated mean of each signal under the policy
 * @param logMean mean of each signal under the logging policy, in the same rows
 * @param effectiveSampleSize {@code (Σw)² / Σw²} of the clipped weights
 */
@SuppressWarnings("ArrayRecordComponent")
record PolicyEstimate(
    double[] weights,
    float[] rewards,
    double[] mean,
    double[] logMean,
    double effectiveSampleSize) {

  static final double LARGEST_WEIGHT = 10;

  /** {@code rewards[row * S + signal]} in the signals' units, {@code weights[row]} at least 0. */
  static PolicyEstimate of(double[] weights, float[] rewards, int signals) {
    double[] mean = new double[signals];
    double[] logMean = new double[signals];
    double sum = 0;
    double squares = 0;
    for (int row = 0; row < weights.length; row++) {
      sum += weights[row];
      squares += weights[row] * weights[row];
      for (int signal = 0; signal < signals; signal++) {
        double reward = rewards[row * signals + signal];
        mean[signal] += weights[row] * reward;
        logMean[signal] += reward;
      }
    }
    for (int signal = 0; signal < signals; signal++) {
      mean[signal] /= sum;
      logMean[signal] /= weights.length;
    }
    return new PolicyEstimate(weights, rewards, mean, logMean, sum * sum / squares);
  }

  double bound(Promise promise) {
    return promise.bound().value(logMean[promise.signal()]);
  }

  /**
   * Standard error of the estimate less the bound, by the delta method. A bound that is a share of
   * the log moves with the same rows, which makes the difference surer than its parts.
   */
  double standardError(Promise promise) {
    int signals = mean.length;
    int signal = promise.signal();
    double meanWeight = 0;
    for (double weight : weights) {
      meanWeight += weight / weights.length;
    }
    double squares = 0;
    for (int row = 0; row < weights.length; row++) {
      double reward = rewards[row * signals + signal];
      double influence =
          weights[row] / meanWeight * (reward - mean[signal])
              - promise.bound().slope() * (reward - logMean[signal]);
      squares += influence * influence;
    }
    return Math.sqrt(squares) / weights.length;
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
