package io.bellwether.evaluation.offpolicy;

/**
 * One logged decision as the estimators read it: {@code positions} places, each with its prefix
 * weight (product over the places up to it of target probability / propensity), the prefix weight
 * before it, the reward, the reward model's prediction for the logged item and its expectation
 * under the target policy. One place is the bandit case.
 *
 * <p>A decision that filled fewer places is padded with reward 0 and an unchanged weight. Mutable,
 * made to be reused, confined to one thread.
 */
public final class DecisionRow {
  /** Above this many factors a product is taken as a sum of logarithms. */
  private static final int MAX_PLAIN_FACTORS = 4;

  private final int positions;
  final double[] weight;
  final double[] weightBefore;
  final double[] reward;
  final double[] prediction;
  final double[] direct;
  private int filled;
  private double logWeight;

  public DecisionRow(int positions) {
    if (positions < 1) {
      throw new IllegalArgumentException("a decision has at least one position: " + positions);
    }
    this.positions = positions;
    weight = new double[positions];
    weightBefore = new double[positions];
    reward = new double[positions];
    prediction = new double[positions];
    direct = new double[positions];
    clear();
  }

  public int positions() {
    return positions;
  }

  /** Sum of the positions' weights. */
  public double totalWeight() {
    double total = 0;
    for (double at : weight) {
      total += at;
    }
    return total;
  }

  /** Empties the row: weight 1, reward 0 everywhere. */
  public DecisionRow clear() {
    filled = 0;
    logWeight = 0;
    for (int position = 0; position < positions; position++) {
      pad(position, 1);
    }
    return this;
  }

  /**
   * Fills the next position.
   *
   * @param ratio target probability / propensity of the logged item, given the earlier positions
   */
  public DecisionRow next(double ratio, double reward, double prediction, double direct) {
    double before = filled == 0 ? 1 : weight[filled - 1];
    logWeight += Math.log(ratio);
    double after = filled < MAX_PLAIN_FACTORS ? before * ratio : Math.exp(logWeight);
    return place(after, reward, prediction, direct);
  }

  /** Fills the next position with an item whose prefix weight is known already. */
  DecisionRow place(double prefixWeight, double reward, double prediction, double direct) {
    weightBefore[filled] = filled == 0 ? 1 : weight[filled - 1];
    weight[filled] = prefixWeight;
    this.reward[filled] = reward;
    this.prediction[filled] = prediction;
    this.direct[filled] = direct;
    filled++;
    for (int position = filled; position < positions; position++) {
      pad(position, prefixWeight);
    }
    return this;
  }

  private void pad(int position, double prefixWeight) {
    weight[position] = prefixWeight;
    weightBefore[position] = prefixWeight;
    reward[position] = 0;
    prediction[position] = 0;
    direct[position] = 0;
  }
}
