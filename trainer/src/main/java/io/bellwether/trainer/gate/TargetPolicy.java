package io.bellwether.trainer.gate;

import java.util.List;

/** A policy that is evaluated on decisions which others made. Thread-safe. */
public interface TargetPolicy extends AutoCloseable {

  /** What reports call it. */
  String name();

  /**
   * The chance of each candidate at the first position, per decision: {@code [candidates]}. At
   * later positions it is the candidate's chance over the chances that are left.
   */
  List<double[]> chances(List<EvaluatedDecision> decisions);

  @Override
  void close();
}
