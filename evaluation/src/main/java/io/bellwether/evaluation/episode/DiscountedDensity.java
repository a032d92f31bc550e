package io.bellwether.evaluation.episode;

import io.bellwether.evaluation.CompensatedSums;

/**
 * How often a policy is in each state of a process that never ends, later steps counting less: the
 * ratio of two of them turns means over one policy's rows into another's value, whatever the number
 * of steps. The array is not copied.
 *
 * <p>Source: Liu, Li, Tang and Zhou, "Breaking the Curse of Horizon", 2018, in closed form.
 *
 * @param ofState sums to 1
 * @param discount weight of the next step, in [0, 1)
 */
@SuppressWarnings("ArrayRecordComponent") // carried, not compared
public record DiscountedDensity(double[] ofState, double discount) {

  /*
   *   d = (1 - γ)(I - γ P_πᵀ)⁻¹ d_0,  P_π(s, s') = Σ_a π(a|s) P(s'|s, a)
   */

  /**
   * The density of a policy.
   *
   * @param transition chances {@code [state][action][next]}
   * @param start chances of the first state
   * @param policy chances {@code [state][action]}
   */
  public static DiscountedDensity of(
      double[][][] transition, double[] start, double[][] policy, double discount) {
    if (!(discount >= 0 && discount < 1)) {
      throw new IllegalArgumentException("a discount lies in [0, 1), found " + discount);
    }
    int states = start.length;
    double[][] system = new double[states][states + 1];
    for (int state = 0; state < states; state++) {
      system[state][state] += 1;
      system[state][states] = (1 - discount) * start[state];
      for (int action = 0; action < policy[state].length; action++) {
        for (int next = 0; next < states; next++) {
          system[next][state] -= discount * policy[state][action] * transition[state][action][next];
        }
      }
    }
    return new DiscountedDensity(LinearSystem.solve(system), discount);
  }

  /**
   * How much more often this policy is in a state and takes an action there than another one, whose
   * density is given: {@code [state][action]}, 0 where neither does.
   *
   * @throws ArithmeticException when this policy comes where the other never does
   */
  public double[][] ratio(double[][] policy, double[] otherDensity, double[][] other) {
    double[][] ratio = new double[policy.length][];
    for (int state = 0; state < policy.length; state++) {
      ratio[state] = new double[policy[state].length];
      for (int action = 0; action < ratio[state].length; action++) {
        double wanted = ofState[state] * policy[state][action];
        double found = otherDensity[state] * other[state][action];
        if (wanted > 0 && !(found > 0)) {
          throw new ArithmeticException(
              "state %d, action %d is never logged".formatted(state, action));
        }
        ratio[state][action] = wanted > 0 ? wanted / found : 0;
      }
    }
    return ratio;
  }

  /**
   * The discounted value per episode: the mean of ratio times reward over the other policy's rows,
   * in units of one step's share.
   *
   * @param ratio {@link #ratio}
   * @param otherDensity share of the other policy's rows in each state
   * @param other its chances {@code [state][action]}
   * @param reward mean reward {@code [state][action]}
   */
  public double value(
      double[][] ratio, double[] otherDensity, double[][] other, double[][] reward) {
    CompensatedSums value = new CompensatedSums(1);
    for (int state = 0; state < ratio.length; state++) {
      for (int action = 0; action < ratio[state].length; action++) {
        value.add(
            0,
            otherDensity[state]
                * other[state][action]
                * ratio[state][action]
                * reward[state][action]);
      }
    }
    return value.get(0) / (1 - discount);
  }
}
