package io.bellwether.loadtest.evaluation.planted;

import io.bellwether.trainer.gate.EvaluatedDecision;
import io.bellwether.trainer.gate.TargetPolicy;
import java.util.List;

/** A policy that shows the shop's long item with a fixed chance. Immutable. */
record FixedTarget(double chanceOfLong) implements TargetPolicy {
  /** Its number among the candidates. */
  static final int LONG = 1;

  @Override
  public String name() {
    return "long with chance " + chanceOfLong;
  }

  @Override
  public List<double[]> chances(List<EvaluatedDecision> decisions) {
    return decisions.stream()
        .map(decision -> new double[] {1 - chanceOfLong, chanceOfLong})
        .toList();
  }

  @Override
  public void close() {}
}
