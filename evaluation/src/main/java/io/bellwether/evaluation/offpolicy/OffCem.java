package io.bellwether.evaluation.offpolicy;

/**
 * Doubly robust with the weights of clusters: the weights carry what differs between clusters, the
 * model what differs between the items of one. Unbiased where the model is right about those
 * differences, whatever its level. Clusters of one item give doubly robust, one cluster of all
 * gives weight 1.
 *
 * <p>With several positions it is the cascade form of {@link DoublyRobust}, unbiased where a reward
 * depends on earlier items through their clusters only.
 *
 * <p>Source: Saito, Ren and Joachims, "Off-Policy Evaluation for Large Action Spaces via Conjunct
 * Effect Modeling", 2023.
 */
public record OffCem() implements MeanEstimator {

  @Override
  public String name() {
    return "offcem";
  }

  @Override
  public boolean usesModel() {
    return true;
  }

  @Override
  public boolean readable(DecisionColumns columns) {
    return columns.hasClusterWeights();
  }

  @Override
  public double weight(DecisionRow decision, int position) {
    return decision.clusterWeight[position];
  }

  @Override
  public double row(DecisionRow decision) {
    double sum = 0;
    double before = 1;
    for (int k = 0; k < decision.positions(); k++) {
      double weight = decision.clusterWeight[k];
      sum += before * decision.direct[k] + weight * (decision.reward[k] - decision.prediction[k]);
      before = weight;
    }
    return sum;
  }
}
