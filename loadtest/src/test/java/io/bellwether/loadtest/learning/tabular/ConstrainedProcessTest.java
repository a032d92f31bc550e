package io.bellwether.loadtest.learning.tabular;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ConstrainedProcessTest {
  private static final ConstrainedProcess TWO_STATES = KnownTasks.freshOrTired(0.7).process();
  private static final ConstrainedProcess SESSION = KnownTasks.session("free").process();

  static double[][] always(ConstrainedProcess process, int... actions) {
    double[][] policy = new double[process.states()][process.actions()];
    for (int state = 0; state < actions.length; state++) {
      policy[state][actions[state]] = 1;
    }
    return policy;
  }

  @Test
  void theEvenPolicyOfTwoStatesHasThePublishedValues() {
    double[][] even = TWO_STATES.uniform();
    double[][] main = TWO_STATES.rewards()[0];
    assertArrayEquals(new double[] {5.930657, 5.273723}, TWO_STATES.stateValues(even, main), 1e-6);
    assertArrayEquals(
        new double[] {0.439051, 0.387956},
        TWO_STATES.stateValues(even, TWO_STATES.rewards()[1]),
        1e-6);
    double[][] values = TWO_STATES.actionValues(even, main);
    assertArrayEquals(new double[] {5.982847, 5.878467}, values[0], 1e-6);
    assertArrayEquals(new double[] {5.205474, 5.341971}, values[1], 1e-6);
  }

  @Test
  void policiesOfTwoStatesWithoutChanceHaveThePublishedValues() {
    double[][] published = {
      {5.561644, 0.052055}, {6.532110, 0.348624}, {5.357143, 0.678571}, {5.578125, 0.929688}
    };
    for (int policy = 0; policy < published.length; policy++) {
      double[][] actions = always(TWO_STATES, policy / 2, policy % 2);
      assertArrayEquals(published[policy], TWO_STATES.values(actions), 1e-6);
    }
    double[][] best = TWO_STATES.actionValues(always(TWO_STATES, 0, 1), TWO_STATES.rewards()[0]);
    assertArrayEquals(new double[] {6.532110, 6.421101}, best[0], 1e-6);
    assertArrayEquals(new double[] {5.758716, 5.889908}, best[1], 1e-6);
  }

  @Test
  void theEvenPolicyOfASessionHasThePublishedValuesAndLength() {
    double[][] even = SESSION.uniform();
    assertArrayEquals(new double[] {8.448063, 0.368870, 0.276044}, SESSION.values(even), 1e-6);
    double length = 0;
    for (double[] ofState : SESSION.visits(even)) {
      for (double times : ofState) {
        length += times;
      }
    }
    assertEquals(8.959735, length, 1e-6);
  }

  @Test
  void theRandomProcessOfSeedOneIsThePublishedOne() {
    ConstrainedTask task = KnownTasks.random(1);
    ConstrainedProcess process = task.process();
    double[] row = process.transition()[0][0];
    assertArrayEquals(
        new double[] {0.089143, 0.134279, 0.194174}, new double[] {row[0], row[1], row[2]}, 1e-6);
    assertEquals(0.337111, process.rewards()[0][0][0], 1e-6);
    assertEquals(6.319871, task.limits().get(0).bound(), 1e-6);
  }

  @Property(tries = 20)
  void visitsAndStateValuesTellTheSameValue(@ForAll @IntRange(min = 1, max = 1000) int seed) {
    ConstrainedTask task = KnownTasks.random(seed);
    ConstrainedProcess process = task.process();
    double[][] policy =
        SoftOptimum.of(process, process.rewards()[1], 0.3, process.uniform()).policy();
    double[] fromState = process.stateValues(policy, process.rewards()[0]);
    double value = 0;
    for (int state = 0; state < fromState.length; state++) {
      value += process.start()[state] * fromState[state];
    }
    assertEquals(value, process.values(policy)[0], 1e-9);
    double[][] again = process.policyOf(process.visits(policy));
    assertEquals(0, TiltedPolicy.distance(policy, again), 1e-12);
  }

  @Test
  void aProcessThatNeverEndsNeedsADiscount() {
    assertThrows(
        IllegalArgumentException.class,
        () ->
            new ConstrainedProcess(
                TWO_STATES.transition(), TWO_STATES.rewards(), TWO_STATES.start(), 1));
  }
}
