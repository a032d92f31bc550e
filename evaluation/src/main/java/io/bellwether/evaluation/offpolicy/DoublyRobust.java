package io.bellwether.evaluation.offpolicy;

/**
 * The model's expectation plus the weighted error of the model: unbiased where either the weights
 * or the predictions (made by a model that has not seen the decision) are right.
 *
 * <p>With several positions it is the cascade form: Σ_k w_{1:k}(r_k − q_k) + w_{1:k−1}·m_k. The
 * prediction may be the position's own reward or the sum of rewards from it on (then the variance
 * is smaller); the mean is the same.
 *
 * <p>Sources: Dudík, Langford and Li, "Doubly Robust Policy Evaluation and Learning", 2011;
 * Kiyohara et al., "Doubly Robust Off-Policy Evaluation for Ranking Policies under the Cascade
 * Behavior Model", 2022.
 */
public record DoublyRobust() implements MeanEstimator {

  @Override
  public String name() {
    return "dr";
  }

  @Override
  public boolean usesModel() {
    return true;
  }

  @Override
  public double row(DecisionRow decision) {
    double sum = 0;
    for (int k = 0; k < decision.positions(); k++) {
      sum +=
          decision.weightBefore[k] * decision.direct[k]
              + decision.weight[k] * (decision.reward[k] - decision.prediction[k]);
    }
    return sum;
  }
}
