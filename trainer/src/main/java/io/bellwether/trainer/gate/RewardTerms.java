package io.bellwether.trainer.gate;

/**
 * What reward models say about one decision, per signal and position: {@code [signals][positions]}.
 *
 * @param prediction for the placed item, by a model that has not seen the decision's subject
 * @param direct mean over the candidates that were left, under the target policy
 * @param baselineDirect the same under the baseline; empty where the logging policy is the baseline
 */
@SuppressWarnings("ArrayRecordComponent") // carried, not compared
record RewardTerms(double[][] prediction, double[][] direct, double[][] baselineDirect) {}
