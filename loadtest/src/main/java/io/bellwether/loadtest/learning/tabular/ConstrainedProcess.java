package io.bellwether.loadtest.learning.tabular;

import java.util.Arrays;

/**
 * A finite decision process with several signals, whose values and visits are exact. Policies are
 * {@code [state][action]}. Immutable; arrays are shared and must not be changed.
 *
 * @param transition {@code [state][action][next]}; what a row lacks to 1 is the chance that the
 *     episode ends
 * @param rewards {@code [signal][state][action]}; signal 0 is maximised
 * @param start chance of each state to be the first
 * @param discount weight of the next step, in [0, 1]; 1 only where every step may be the last
 */
@SuppressWarnings("ArrayRecordComponent")
record ConstrainedProcess(
    double[][][] transition, double[][][] rewards, double[] start, double discount) {

  private static final double ROUNDING = 1e-9;

  /** Below this share of a visit, a state counts as never seen. */
  private static final double NEVER = 1e-12;

  ConstrainedProcess {
    if (!(discount >= 0 && discount <= 1)) {
      throw new IllegalArgumentException("a discount lies in [0, 1], found " + discount);
    }
    for (double[][] ofState : transition) {
      for (double[] row : ofState) {
        double goesOn = sum(row);
        if (goesOn > 1 + ROUNDING || (discount == 1 && goesOn > 1 - ROUNDING)) {
          throw new IllegalArgumentException(
              "a step goes on with chance " + goesOn + " at discount " + discount);
        }
      }
    }
  }

  private static double sum(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return sum;
  }

  int states() {
    return start.length;
  }

  int actions() {
    return transition[0].length;
  }

  int signals() {
    return rewards.length;
  }

  double[][] uniform() {
    double[][] policy = new double[states()][actions()];
    for (double[] chances : policy) {
      Arrays.fill(chances, 1.0 / actions());
    }
    return policy;
  }

  /** {@code V [state]}: discounted sum of {@code perState} from each state on under a policy. */
  double[] stateValues(double[][] policy, double[] perState) {
    return solved(steps(policy, false), perState);
  }

  /** {@code V [state]} of rewards {@code [state][action]} under a policy. */
  double[] stateValues(double[][] policy, double[][] reward) {
    double[] perState = new double[states()];
    for (int state = 0; state < states(); state++) {
      for (int action = 0; action < actions(); action++) {
        perState[state] += policy[state][action] * reward[state][action];
      }
    }
    return stateValues(policy, perState);
  }

  /** {@code Q [state][action]}: reward now and {@code values} of where it leads. */
  double[][] backedUp(double[][] reward, double[] values) {
    double[][] backedUp = new double[states()][actions()];
    for (int state = 0; state < states(); state++) {
      for (int action = 0; action < actions(); action++) {
        double future = 0;
        double[] next = transition[state][action];
        for (int to = 0; to < next.length; to++) {
          future += next[to] * values[to];
        }
        backedUp[state][action] = reward[state][action] + discount * future;
      }
    }
    return backedUp;
  }

  /** {@code Q [state][action]} of rewards under a policy. */
  double[][] actionValues(double[][] policy, double[][] reward) {
    return backedUp(reward, stateValues(policy, reward));
  }

  /**
   * The occupancy measure {@code [state][action]}: how often a policy is expected to be there, a
   * visit after {@code t} steps counted {@code discount^t}.
   */
  double[][] visits(double[][] policy) {
    double[] ofState = solved(steps(policy, true), start);
    double[][] visits = new double[states()][actions()];
    for (int state = 0; state < states(); state++) {
      for (int action = 0; action < actions(); action++) {
        visits[state][action] = ofState[state] * policy[state][action];
      }
    }
    return visits;
  }

  /** The policy that has these visits; even where a state is never visited. */
  double[][] policyOf(double[][] visits) {
    double[][] policy = new double[states()][actions()];
    for (int state = 0; state < states(); state++) {
      double total = 0;
      for (double times : visits[state]) {
        total += Math.max(0, times);
      }
      for (int action = 0; action < actions(); action++) {
        policy[state][action] =
            total > NEVER ? Math.max(0, visits[state][action]) / total : 1.0 / actions();
      }
    }
    return policy;
  }

  /** Expected discounted sum of a signal over an episode that has these visits. */
  double value(double[][] visits, int signal) {
    double value = 0;
    for (int state = 0; state < states(); state++) {
      for (int action = 0; action < actions(); action++) {
        value += visits[state][action] * rewards[signal][state][action];
      }
    }
    return value;
  }

  /** Every signal's value under a policy. */
  double[] values(double[][] policy) {
    double[][] visits = visits(policy);
    double[] values = new double[signals()];
    for (int signal = 0; signal < values.length; signal++) {
      values[signal] = value(visits, signal);
    }
    return values;
  }

  /** {@code I - discount P} of a policy, or its transpose. */
  private double[][] steps(double[][] policy, boolean transposed) {
    int states = states();
    double[][] matrix = new double[states][states];
    for (int state = 0; state < states; state++) {
      matrix[state][state] += 1;
      for (int action = 0; action < policy[state].length; action++) {
        double weight = discount * policy[state][action];
        for (int next = 0; next < states; next++) {
          double flow = weight * transition[state][action][next];
          if (transposed) {
            matrix[next][state] -= flow;
          } else {
            matrix[state][next] -= flow;
          }
        }
      }
    }
    return matrix;
  }

  /**
   * Gauss elimination, which overwrites the matrix. It needs no pivoting: in {@code I - discount P}
   * each diagonal element outweighs the rest of its row, in the transpose that of its column.
   */
  private static double[] solved(double[][] matrix, double[] right) {
    int size = right.length;
    double[] solution = right.clone();
    for (int pivot = 0; pivot < size; pivot++) {
      double[] from = matrix[pivot];
      for (int row = pivot + 1; row < size; row++) {
        double factor = matrix[row][pivot] / from[pivot];
        for (int column = pivot + 1; column < size; column++) {
          matrix[row][column] -= factor * from[column];
        }
        solution[row] -= factor * solution[pivot];
      }
    }
    for (int row = size - 1; row >= 0; row--) {
      for (int column = row + 1; column < size; column++) {
        solution[row] -= matrix[row][column] * solution[column];
      }
      solution[row] /= matrix[row][row];
    }
    return solution;
  }
}
