package io.bellwether.evaluation.episode;

/**
 * The discounted values of a policy by numbered states and actions, as fitted-Q evaluation found
 * them. The arrays are not copied.
 *
 * @param actionValues {@code [step][state][action]}; one step where the values do not depend on it
 * @param stateValues {@code [step][state]}: the mean over the policy's actions
 * @param rounds backward steps, or iterations until the values stood still
 */
@SuppressWarnings("ArrayRecordComponent") // carried, not compared
public record FittedValues(double[][][] actionValues, double[][] stateValues, int rounds) {

  /** Q̂ of a step. */
  public double actionValue(int step, int state, int action) {
    return actionValues[held(step)][state][action];
  }

  /** V̂ of a step; 0 in the state -1, behind the end. */
  public double stateValue(int step, int state) {
    return state < 0 || step >= stateValues.length && stateValues.length > 1
        ? 0
        : stateValues[held(step)][state];
  }

  private int held(int step) {
    return actionValues.length == 1 ? 0 : step;
  }
}
