package io.bellwether.trainer.algorithm;

import io.bellwether.trainer.graph.Shape;
import io.bellwether.trainer.graph.Tensor;

/**
 * What an uncertain return is worth to somebody who minds bad outcomes more than good ones. Never
 * more than its mean. Immutable.
 */
public sealed interface Risk {

  /** The end of a distribution that is bad. */
  enum BadEnd {
    /** Little is bad: rewards. */
    LOW,

    /** Much is bad: harm. */
    HIGH
  }

  /**
   * The worth of returns whose {@code N} quantiles, in ascending order, are the columns of {@code
   * [B, N]}: {@code [B, 1]}, in the returns' own direction.
   */
  Tensor of(Tensor quantiles, BadEnd end);

  /**
   * The mean of the worst share of all outcomes: {@code CVaR_α = max_v { v - E[(v - Z)^+] / α }}.
   *
   * <p>Source: Rockafellar and Uryasev, "Optimization of Conditional Value-at-Risk", 2000.
   *
   * @param share α, above 0 and at most 1; 1 is the mean
   */
  record WorstShare(double share) implements Risk {
    public WorstShare {
      if (!(share > 0 && share <= 1)) {
        throw new IllegalArgumentException("a share of outcomes is in (0, 1], not " + share);
      }
    }

    /** Weight of each of {@code count} quantiles from the worst on; the last one counts in part. */
    float[] weights(int count) {
      float[] weights = new float[count];
      for (int i = 0; i < count; i++) {
        weights[i] = (float) (Math.max(0, Math.min(1, share * count - i)) / (share * count));
      }
      return weights;
    }

    @Override
    public Tensor of(Tensor quantiles, BadEnd end) {
      int count = (int) quantiles.shape().width();
      float[] weights = weights(count);
      float[] placed = new float[count];
      for (int i = 0; i < count; i++) {
        placed[end == BadEnd.LOW ? i : count - 1 - i] = weights[i];
      }
      return quantiles.mul(quantiles.graph().constant(placed, Shape.of(1, count))).sum(-1);
    }
  }

  /**
   * The certain return that somebody with constant aversion takes in its place: {@code -log
   * E[exp(-β Z)] / β}.
   *
   * <p>Source: Föllmer and Schied, "Convex Measures of Risk and Trading Constraints", 2002.
   *
   * @param aversion β per unit of the signal's scale, above 0
   */
  record Entropic(double aversion) implements Risk {
    public Entropic {
      if (!(aversion > 0)) {
        throw new IllegalArgumentException("aversion must be above 0, not " + aversion);
      }
    }

    @Override
    public Tensor of(Tensor quantiles, BadEnd end) {
      float sign = end == BadEnd.LOW ? 1 : -1;
      Tensor exponent = quantiles.mul((float) (-sign * aversion));
      Tensor largest = exponent.max(-1);
      Tensor logMean = exponent.sub(largest).exp().mean(-1).log().add(largest);
      return logMean.mul((float) (-sign / aversion));
    }
  }
}
