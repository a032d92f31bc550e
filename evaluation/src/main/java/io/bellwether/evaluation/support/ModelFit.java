package io.bellwether.evaluation.support;

import java.util.List;
import java.util.OptionalDouble;

/**
 * How well a reward model predicts what it has not seen. Variances are over n, in the signal's unit
 * squared; what cannot be computed is empty.
 *
 * @param rows predictions compared
 * @param invalid further ones that were no number, or whose reward was none
 * @param meanSquaredError of the predictions
 * @param flags whether all rewards were 0 or 1; only then is there a log-loss
 * @param meanLogLoss nats per row, predictions cut to [1e-15, 1 − 1e-15]; 0 without flags
 * @param reliability at most ten ranges of predictions of about equally many rows, lowest first
 */
public record ModelFit(
    long rows,
    long invalid,
    double meanPrediction,
    double meanReward,
    double predictionVariance,
    double rewardVariance,
    double covariance,
    double meanSquaredError,
    boolean flags,
    double meanLogLoss,
    List<ReliabilityBin> reliability) {

  public ModelFit {
    reliability = List.copyOf(reliability);
  }

  /**
   * Share of the rewards' variance that the predictions explain: 1 at best, 0 as good as the mean
   * reward, below 0 worse. Empty where all rewards are equal.
   */
  public OptionalDouble rSquared() {
    return rewardVariance > 0
        ? OptionalDouble.of(1 - meanSquaredError / rewardVariance)
        : OptionalDouble.empty();
  }

  /** Nats per row; empty where rewards are no flags. */
  public OptionalDouble logLoss() {
    return flags && rows > 0 ? OptionalDouble.of(meanLogLoss) : OptionalDouble.empty();
  }

  /** The log-loss of predicting the mean reward everywhere: what a model has to beat. */
  public OptionalDouble constantLogLoss() {
    if (!flags || rows == 0) {
      return OptionalDouble.empty();
    }
    return OptionalDouble.of(entropy(meanReward) + entropy(1 - meanReward));
  }

  /**
   * Slope of the least-squares line of rewards on predictions. 1 is perfect, below 1 the
   * predictions are too far apart, above 1 too close. Empty where all predictions are equal.
   */
  public OptionalDouble calibrationSlope() {
    return predictionVariance > 0
        ? OptionalDouble.of(covariance / predictionVariance)
        : OptionalDouble.empty();
  }

  /** Where that line meets a prediction of 0. */
  public OptionalDouble calibrationIntercept() {
    return predictionVariance > 0
        ? OptionalDouble.of(meanReward - covariance / predictionVariance * meanPrediction)
        : OptionalDouble.empty();
  }

  /** Standard error of the slope if all rewards were equally noisy. */
  public OptionalDouble calibrationSlopeError() {
    if (!(predictionVariance > 0) || rows < 3) {
      return OptionalDouble.empty();
    }
    double residual = Math.max(0, rewardVariance - covariance * covariance / predictionVariance);
    return OptionalDouble.of(Math.sqrt(residual / (rows - 2) / predictionVariance));
  }

  private static double entropy(double probability) {
    return probability > 0 ? -probability * Math.log(probability) : 0;
  }
}
