package io.bellwether.loadtest.learning.tabular;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class OccupancyProgramTest {
  private static final double SLOPE = 110.0 / 67;

  private static OccupancyProgram.Optimum solved(ConstrainedTask task) {
    return assertInstanceOf(
        OccupancyProgram.Optimum.class, new OccupancyProgram(task.process()).solve(task.limits()));
  }

  private static double[][] policy(ConstrainedTask task) {
    return task.process().policyOf(solved(task).visits());
  }

  @Test
  void twoArmsAreMixedEvenly() {
    OccupancyProgram.Optimum optimum = solved(KnownTasks.bandit());
    assertEquals(0.7, optimum.value(), 1e-9);
    assertEquals(1.5, optimum.multipliers()[0], 1e-9);
    assertArrayEquals(new double[] {0.5, 0.5}, policy(KnownTasks.bandit())[0], 1e-9);
  }

  @Test
  void theOptimumOfTwoStatesIsThePublishedOne() {
    double[][] published = {
      {0.5, 6.283582, 0.625}, {0.7, 5.955224, 0.277358}, {0.8, 5.791045, 0.144348}
    };
    for (double[] known : published) {
      ConstrainedTask task = KnownTasks.freshOrTired(known[0]);
      assertEquals(known[1], solved(task).value(), 1e-6);
      assertEquals(SLOPE, solved(task).multipliers()[0], 1e-6);
      assertEquals(known[2], policy(task)[0][0], 1e-6);
      assertEquals(1, policy(task)[1][1], 1e-9);
    }
    assertEquals(399.0 / 67, solved(KnownTasks.freshOrTired(0.7)).value(), 1e-9);
  }

  @Property(tries = 30)
  void theFrontierOfTwoStatesIsALine(@ForAll @DoubleRange(min = 0.35, max = 0.92) double bound) {
    assertEquals(
        6.532110 - SLOPE * (bound - 0.348624),
        solved(KnownTasks.freshOrTired(bound)).value(),
        3e-6);
  }

  @Test
  void weightedSumsSwitchPoliciesWhereTheMultiplierSays() {
    ConstrainedTask task = KnownTasks.freshOrTired(0.7);
    assertEquals(1, bestOfSum(task, SLOPE - 1e-3)[0][0], 1e-9);
    assertEquals(0, bestOfSum(task, SLOPE + 1e-3)[0][0], 1e-9);
  }

  private static double[][] bestOfSum(ConstrainedTask task, double weight) {
    ConstrainedProcess process = task.process();
    ConstrainedProcess priced =
        new ConstrainedProcess(
            process.transition(),
            new double[][][] {task.pricedReward(new double[] {weight})},
            process.start(),
            process.discount());
    return priced.policyOf(new OccupancyProgram(priced).best(0, 1));
  }

  @Test
  void theBestSessionWithoutLimitsIsThePublishedOne() {
    ConstrainedTask free = KnownTasks.session("free");
    assertArrayEquals(
        new double[] {11.099658, 0.206896, 0.283569}, free.process().values(policy(free)), 1e-6);
    assertEquals(
        0,
        TiltedPolicy.distance(ConstrainedProcessTest.always(free.process(), 0, 0, 2), policy(free)),
        1e-9);
  }

  @Test
  void theBestSessionWithEnoughLikesIsThePublishedOne() {
    ConstrainedTask task = KnownTasks.session("likes", Limit.atLeast(1, 0.6));
    assertEquals(9.979425, solved(task).value(), 1e-6);
    assertEquals(3.699937, solved(task).multipliers()[0], 1e-6);
    assertPolicy(new double[][] {{0, 1, 0}, {0.412056, 0.587944, 0}, {0, 0, 1}}, policy(task));
  }

  @Test
  void theBestSessionWithLittleHateIsThePublishedOne() {
    ConstrainedTask task = KnownTasks.session("hate", Limit.atMost(2, 0.25));
    assertEquals(10.567472, solved(task).value(), 1e-6);
    assertEquals(15.853741, solved(task).multipliers()[0], 1e-6);
    assertPolicy(new double[][] {{1, 0, 0}, {0.454741, 0, 0.545259}, {0, 0, 1}}, policy(task));
  }

  @Test
  void theBestSessionWithBothIsThePublishedOne() {
    ConstrainedTask task = KnownTasks.session("both", Limit.atLeast(1, 0.6), Limit.atMost(2, 0.22));
    assertEquals(9.792261, solved(task).value(), 1e-6);
    assertArrayEquals(new double[] {1.723876, 9.906384}, solved(task).multipliers(), 1e-6);
    assertPolicy(
        new double[][] {{0.652961, 0.347039, 0}, {0.131557, 0.868443, 0}, {0, 0, 1}}, policy(task));
  }

  private static void assertPolicy(double[][] expected, double[][] found) {
    for (int state = 0; state < expected.length; state++) {
      assertArrayEquals(expected[state], found[state], 1e-6);
    }
  }

  @Test
  void moreLikesThanThereAreIsToldAsImpossible() {
    OccupancyProgram program = new OccupancyProgram(KnownTasks.impossible().process());
    OccupancyProgram.Infeasible infeasible =
        assertInstanceOf(
            OccupancyProgram.Infeasible.class, program.solve(KnownTasks.impossible().limits()));
    assertEquals(0.849857, infeasible.farthest()[0], 1e-6);
  }

  @Test
  void limitsThatExcludeEachOtherAreToldAsImpossibleThoughEachCanBeKept() {
    ConstrainedTask task =
        KnownTasks.session("both, harder", Limit.atLeast(1, 0.84), Limit.atMost(2, 0.15));
    OccupancyProgram.Infeasible infeasible =
        assertInstanceOf(
            OccupancyProgram.Infeasible.class,
            new OccupancyProgram(task.process()).solve(task.limits()));
    assertTrue(infeasible.farthest()[0] > 0.84 && infeasible.farthest()[1] < 0.15);
  }

  @Test
  void theRandomProcessOfSeedOneHasThePublishedOptimum() {
    ConstrainedTask task = KnownTasks.random(1);
    ConstrainedProcess process = task.process();
    OccupancyProgram program = new OccupancyProgram(process);
    double[][] free = program.best(0, 1);
    assertEquals(7.479948, process.value(free, 0), 1e-6);
    assertEquals(5.249336, process.value(free, 1), 1e-6);
    assertEquals(7.390406, process.value(program.best(1, 1), 1), 1e-6);
    assertEquals(7.413435, solved(task).value(), 1e-6);
    assertEquals(0.100285, solved(task).multipliers()[0], 1e-6);
  }

  @Property(tries = 10)
  void priceTimesSlackIsNothingAndNoPolicyBeatsTheOptimumAtItsPrices(
      @ForAll @IntRange(min = 1, max = 1000) int seed) {
    ConstrainedTask task = KnownTasks.random(seed);
    OccupancyProgram.Optimum optimum = solved(task);
    Limit limit = task.limits().get(0);
    double price = optimum.multipliers()[0];
    double reached = task.process().value(optimum.visits(), 1);
    assertEquals(0, price * (reached - limit.bound()), 1e-6);
    double[][] best = bestOfSum(task, price);
    double[] values = task.process().values(best);
    assertEquals(optimum.value() + price * reached, values[0] + price * values[1], 1e-6);
  }

  @Test
  void aLimitThatIsKeptAnywayCostsNothing() {
    ConstrainedTask task = KnownTasks.session("free", Limit.atLeast(1, 0.1));
    assertEquals(11.099658, solved(task).value(), 1e-6);
    assertEquals(List.of(0.0), List.of(solved(task).multipliers()[0]));
  }
}
