package io.bellwether.trainer.algorithm;

import io.bellwether.trainer.graph.Graph;
import io.bellwether.trainer.graph.Shape;
import io.bellwether.trainer.graph.Tensor;

/**
 * Regression of {@code N} quantiles at once, at the levels {@code (j + ½) / N}.
 *
 * <p>Source: Dabney and others, "Distributional Reinforcement Learning with Quantile Regression",
 * 2018.
 *
 * @param count N, at least 2
 * @param kink error, in units of the signal's scale, up to which it counts by its square: the
 *     larger, the smoother, and the more quantiles move towards the mean
 */
record Quantiles(int count, double kink) {
  Quantiles {
    if (count < 2 || !(kink > 0)) {
      throw new IllegalArgumentException(count + " quantiles with a kink at " + kink);
    }
  }

  /**
   * Loss per row, {@code [B, 1]}.
   *
   * @param quantiles {@code [B, N]}
   * @param outcomes equally likely ones, {@code [B, k]}, without gradient
   */
  Tensor loss(Tensor quantiles, Tensor outcomes) {
    Graph graph = quantiles.graph();
    long rows = quantiles.shape().size() / count;
    float[] above = new float[count];
    float[] below = new float[count];
    for (int j = 0; j < count; j++) {
      above[j] = (float) ((j + 0.5) / count);
      below[j] = 1 - above[j];
    }
    Shape perQuantile = Shape.of(1, count, 1);
    Tensor error =
        outcomes.reshape(rows, 1, outcomes.shape().width()).sub(quantiles.reshape(rows, count, 1));
    Tensor size = error.max(error.negate());
    Tensor squared = size.min(graph.constant((float) kink));
    Tensor huber = squared.mul(size.sub(squared.mul(0.5f))).mul((float) (1 / kink));
    Tensor weight =
        error
            .isLessThan(graph.constant(0f))
            .select(graph.constant(below, perQuantile), graph.constant(above, perQuantile));
    return huber.mul(weight).mean(-1).reshape(rows, count).sum(-1);
  }
}
