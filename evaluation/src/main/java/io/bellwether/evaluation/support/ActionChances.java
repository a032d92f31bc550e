package io.bellwether.evaluation.support;

/**
 * One decision's propensities by action: candidates that share a number are added up. Made to be
 * reused, confined to one thread.
 */
final class ActionChances {
  /** The actions that have candidates: the first {@link #count} of these. */
  final int[] actions;

  /** By action; 0 where there is no candidate. */
  final double[] chance;

  int count;

  /** Whether an action has a candidate in the current decision. */
  private final boolean[] present;

  ActionChances(int size) {
    actions = new int[size];
    chance = new double[size];
    present = new boolean[size];
  }

  /** Starts over. */
  void clear() {
    for (int at = 0; at < count; at++) {
      present[actions[at]] = false;
      chance[actions[at]] = 0;
    }
    count = 0;
  }

  void add(int action, double probability) {
    if (!present[action]) {
      present[action] = true;
      actions[count++] = action;
    }
    chance[action] += probability;
  }
}
