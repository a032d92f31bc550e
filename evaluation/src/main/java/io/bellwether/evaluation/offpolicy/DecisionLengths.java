package io.bellwether.evaluation.offpolicy;

import java.nio.IntBuffer;

/**
 * How many rows the decisions of a log have.
 *
 * @param longest at least 1
 * @param same the number of rows that all have; 0 where they differ or there are none
 */
record DecisionLengths(int decisions, int longest, int same) {

  static DecisionLengths of(IntBuffer decisionOfRow) {
    int rows = decisionOfRow.limit();
    int decisions = 0;
    int longest = 1;
    int shortest = Integer.MAX_VALUE;
    int first = 0;
    for (int row = 1; row <= rows; row++) {
      if (row == rows || decisionOfRow.get(row) != decisionOfRow.get(row - 1)) {
        decisions++;
        longest = Math.max(longest, row - first);
        shortest = Math.min(shortest, row - first);
        first = row;
      }
    }
    return new DecisionLengths(decisions, longest, shortest == longest ? longest : 0);
  }
}
