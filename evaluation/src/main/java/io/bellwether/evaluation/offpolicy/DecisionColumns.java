package io.bellwether.evaluation.offpolicy;

import java.nio.DoubleBuffer;

/**
 * One signal of a log under one policy, readable decision by decision. A view: it holds references
 * to the log's columns and copies nothing. Thread-safe.
 */
public final class DecisionColumns {
  private final LoggedDecisions log;
  private final PrefixWeights weights;
  private final DoubleBuffer reward;
  private final DoubleBuffer prediction;
  private final DoubleBuffer direct;
  private final boolean modelled;
  private final boolean ofTarget;

  private DecisionColumns(
      LoggedDecisions log,
      PrefixWeights weights,
      DoubleBuffer reward,
      DoubleBuffer prediction,
      DoubleBuffer direct,
      boolean ofTarget) {
    this.log = log;
    this.weights = weights;
    this.reward = reward;
    this.prediction = prediction;
    this.direct = direct;
    this.modelled = direct.hasRemaining();
    this.ofTarget = ofTarget;
  }

  static DecisionColumns ofTarget(
      LoggedDecisions log,
      PrefixWeights weights,
      DoubleBuffer reward,
      DoubleBuffer prediction,
      DoubleBuffer direct) {
    return new DecisionColumns(log, weights, reward, prediction, direct, true);
  }

  static DecisionColumns ofBaseline(
      LoggedDecisions log,
      PrefixWeights weights,
      DoubleBuffer reward,
      DoubleBuffer prediction,
      DoubleBuffer direct) {
    return new DecisionColumns(log, weights, reward, prediction, direct, false);
  }

  public int decisions() {
    return log.decisions();
  }

  /** Whether rows hold weights of clusters of items; otherwise these read as 1. */
  public boolean hasClusterWeights() {
    return ofTarget && log.hasClusterWeights();
  }

  /** Whether rows hold marginal weights of items at their positions; otherwise these read as 1. */
  public boolean hasSlotWeights() {
    return ofTarget && log.hasSlotWeights();
  }

  /** Whether rows hold pseudo-inverse weights of slates; otherwise these read as 1. */
  public boolean hasSlateWeights() {
    return ofTarget && log.hasSlateWeights();
  }

  public DecisionRow newRow() {
    return new DecisionRow(log.positions());
  }

  public void read(int decision, DecisionRow row) {
    row.clear();
    int end = log.firstRow(decision + 1);
    for (int at = log.firstRow(decision); at < end; at++) {
      weights.place(
          at,
          row,
          reward.get(at),
          modelled ? prediction.get(at) : 0,
          modelled ? direct.get(at) : 0);
      if (ofTarget) {
        row.weigh(log.clusterWeight(at), log.slotWeight(at));
      }
    }
    if (ofTarget) {
      row.slateWeight = log.slateWeight(decision);
    }
  }
}
