package io.bellwether.trainer.gate;

import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import io.bellwether.evaluation.offpolicy.LoggedDecisions.Signal;
import io.bellwether.trainer.data.TrainingRow;
import java.util.List;
import java.util.Optional;

/**
 * Decisions as the columns that the evaluation reads, one row per position. Filled in the order of
 * the decisions; confined to one thread.
 */
final class DecisionTable {

  private static final double[] UNKNOWN = {};

  private final int[] decision;
  private final int[] position;
  private final long[] unit;
  private final double[] logging;
  private final double[] target;
  private final double[] baseline;
  private final double[] divergence;
  private final double[] unsupported;
  private final double[] thin;
  private final double[][] reward;
  private final double[][] prediction;
  private final double[][] direct;
  private final double[][] baselineDirect;
  private final RowChances chances = new RowChances();
  private int rows;
  private boolean hasBaseline;
  private boolean hasModel;
  private boolean knowsLogging = true;

  DecisionTable(int capacity, int signals) {
    decision = new int[capacity];
    position = new int[capacity];
    unit = new long[capacity];
    logging = new double[capacity];
    target = new double[capacity];
    baseline = new double[capacity];
    divergence = new double[capacity];
    unsupported = new double[capacity];
    thin = new double[capacity];
    reward = new double[signals][capacity];
    prediction = new double[signals][capacity];
    direct = new double[signals][capacity];
    baselineDirect = new double[signals][capacity];
  }

  /**
   * Adds a decision.
   *
   * @param targetChances at the first position, {@code [candidates]}
   * @param baselineChances the same; empty where the logging policy is the baseline
   */
  void add(
      int number,
      EvaluatedDecision added,
      double[] targetChances,
      double[] baselineChances,
      Optional<RewardTerms> terms) {
    int[] slate = added.slate();
    double[] ofTarget = chances.ofSlate(targetChances, slate);
    hasBaseline = baselineChances.length > 0;
    double[] ofBaseline = hasBaseline ? chances.ofSlate(baselineChances, slate) : UNKNOWN;
    knowsLogging &= added.logging().length > 0;
    double[][] distances =
        knowsLogging ? chances.distances(targetChances, added.logging(), slate) : new double[0][];
    for (int place = 0; place < slate.length; place++) {
      TrainingRow row = added.rows().get(place);
      decision[rows] = number;
      position[rows] = place;
      unit[rows] = added.unit();
      logging[rows] = row.propensity();
      target[rows] = ofTarget[place];
      if (hasBaseline) {
        baseline[rows] = ofBaseline[place];
      }
      if (knowsLogging) {
        divergence[rows] = distances[place][0];
        unsupported[rows] = distances[place][1];
        thin[rows] = distances[place][2];
      }
      for (int signal = 0; signal < reward.length; signal++) {
        reward[signal][rows] = row.rewards()[signal];
      }
      if (terms.isPresent()) {
        addTerms(terms.get(), place);
      }
      rows++;
    }
  }

  private void addTerms(RewardTerms terms, int place) {
    hasModel = true;
    for (int signal = 0; signal < reward.length; signal++) {
      prediction[signal][rows] = terms.prediction()[signal][place];
      direct[signal][rows] = terms.direct()[signal][place];
      if (hasBaseline) {
        baselineDirect[signal][rows] = terms.baselineDirect()[signal][place];
      }
    }
  }

  /**
   * The columns of all decisions, which must be as many rows as there was room for.
   *
   * @param signals their names, in the order of the rewards
   * @param excluded what was left out before
   */
  LoggedDecisions columns(List<String> signals, LoggedDecisions.Excluded excluded) {
    LoggedDecisions.Builder builder =
        LoggedDecisions.builder()
            .decisions(decision, position, unit)
            .excluded(excluded)
            .logging(logging)
            .target(target);
    if (hasBaseline) {
      builder.baseline(baseline);
    }
    if (knowsLogging) {
      builder.divergence(divergence).unsupported(unsupported).thin(thin);
    }
    for (int signal = 0; signal < reward.length; signal++) {
      builder.signal(signals.get(signal), signal(signal));
    }
    return builder.build();
  }

  private Signal signal(int signal) {
    if (!hasModel) {
      return Signal.withoutModel(reward[signal]);
    }
    return new Signal(
        reward[signal],
        prediction[signal],
        direct[signal],
        hasBaseline ? baselineDirect[signal] : UNKNOWN);
  }
}
