package io.bellwether.trainer.gate;

import java.io.Serializable;
import java.util.List;

/**
 * A policy that is evaluated on decisions which others made. Travels to the tasks that ask it, each
 * of which has a copy of its own; a copy is thread-safe, and whoever has it closes it.
 */
public interface TargetPolicy extends Serializable, AutoCloseable {

  /** What reports call it. */
  String name();

  /** Names its contents: two policies with the same digest give the same chances. */
  default String digest() {
    return name();
  }

  /** Whether chances were rounded, so that they add up to 1 only about. */
  default boolean isRounded() {
    return false;
  }

  /**
   * The chance of each candidate at the first position, per decision: {@code [candidates]}. At
   * later positions it is the candidate's chance over the chances that are left.
   *
   * @throws TargetRefused where a decision lacks what the policy needs
   */
  List<double[]> chances(List<EvaluatedDecision> decisions);

  @Override
  void close();
}
