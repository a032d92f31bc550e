package io.bellwether.evaluation.offpolicy;

/**
 * One logged decision as the estimators read it: {@code positions} places, each with its prefix
 * weight (product over the places up to it of target probability / propensity), the prefix weight
 * before it, the reward, the reward model's prediction for the logged item and its expectation
 * under the target policy. One place is the bandit case.
 *
 * <p>Where they are known, a place also has the prefix weight of its cluster of items and the
 * marginal weight of its item there, and the decision has the pseudo-inverse weight of its slate;
 * otherwise these are 1.
 *
 * <p>A decision that filled fewer places is padded with reward 0 and unchanged prefix weights.
 * Mutable, made to be reused, confined to one thread.
 */
public final class DecisionRow {
  /** Above this many factors a product is taken as a sum of logarithms. */
  static final int MAX_PLAIN_FACTORS = 4;

  private final int positions;
  final double[] weight;
  final double[] weightBefore;
  final double[] reward;
  final double[] prediction;
  final double[] direct;
  final double[] clusterWeight;
  final double[] slotWeight;
  double slateWeight;
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
    clusterWeight = new double[positions];
    slotWeight = new double[positions];
    clear();
  }

  public int positions() {
    return positions;
  }

  /** The prefix weight up to and with a position. */
  public double weight(int position) {
    return weight[position];
  }

  /** The weight of the decision as a whole: the prefix weight at its last position. */
  public double lastWeight() {
    return weight[positions - 1];
  }

  public double reward(int position) {
    return reward[position];
  }

  /** Sum of the positions' rewards. */
  public double totalReward() {
    double total = 0;
    for (double at : reward) {
      total += at;
    }
    return total;
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
    slateWeight = 1;
    for (int position = 0; position < positions; position++) {
      pad(position, 1);
      clusterWeight[position] = 1;
      slotWeight[position] = 1;
    }
    return this;
  }

  /**
   * Fills the next position.
   *
   * @param ratio target probability / propensity of the logged item, given the earlier positions
   */
  public DecisionRow next(double ratio, double reward, double prediction, double direct) {
    return place(weightAfter(ratio), reward, prediction, direct);
  }

  private double weightAfter(double ratio) {
    double before = filled == 0 ? 1 : weight[filled - 1];
    if (positions > MAX_PLAIN_FACTORS) {
      logWeight += Math.log(ratio);
    }
    return filled < MAX_PLAIN_FACTORS ? before * ratio : Math.exp(logWeight);
  }

  /** Fills the next position with an item whose prefix weight is known already. */
  DecisionRow place(double prefixWeight, double reward, double prediction, double direct) {
    put(prefixWeight, reward, prediction, direct);
    padFrom(filled, prefixWeight);
    return this;
  }

  /** Begins a decision whose rows are added one by one; {@link #end} makes it readable. */
  void begin() {
    filled = 0;
    logWeight = 0;
    slateWeight = 1;
  }

  /** Fills the next position by the ratio of its item. */
  void putRatio(double ratio, double reward, double prediction, double direct) {
    put(weightAfter(ratio), reward, prediction, direct);
  }

  /** Fills the next position by its prefix weight. */
  void put(double prefixWeight, double reward, double prediction, double direct) {
    weightBefore[filled] = filled == 0 ? 1 : weight[filled - 1];
    weight[filled] = prefixWeight;
    this.reward[filled] = reward;
    this.prediction[filled] = prediction;
    this.direct[filled] = direct;
    clusterWeight[filled] = 1;
    slotWeight[filled] = 1;
    filled++;
  }

  /** Sets the other weights of the position that was filled last. */
  void putWeights(double cluster, double slot) {
    clusterWeight[filled - 1] = cluster;
    slotWeight[filled - 1] = slot;
  }

  /** Pads the positions that were not filled; at least one was. */
  void end() {
    double cluster = clusterWeight[filled - 1];
    padFrom(filled, weight[filled - 1]);
    for (int position = filled; position < positions; position++) {
      clusterWeight[position] = cluster;
      slotWeight[position] = 1;
    }
  }

  private void padFrom(int from, double prefixWeight) {
    for (int position = from; position < positions; position++) {
      pad(position, prefixWeight);
    }
  }

  /** Adds the other weights of the position that was filled last. */
  DecisionRow weigh(double cluster, double slot) {
    slotWeight[filled - 1] = slot;
    for (int position = filled - 1; position < positions; position++) {
      clusterWeight[position] = cluster;
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
