package io.bellwether.loadtest.learning.tabular;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class PricedLearnerTest {
  private static final double[] NO_SCALE = {1};
  private static final double SHARE = 0.01;

  private static PricedLearner soft(boolean relative, double... gains) {
    return new PricedLearner(
        new PidMultiplier.Gains(gains[0], gains[1], gains[2]), relative, 0.05, 0.05, 4000);
  }

  @Test
  void gainsOfLibrariesAreSlowOnTwoArms() {
    ConstrainedTask task = KnownTasks.bandit();
    PricedLearner.Run one = soft(false, 0.1, 0.003, 0.001).run(task, NO_SCALE);
    assertEquals(1.4957, one.multipliers()[0], 1e-4);
    assertEquals(0.2965, one.trace()[3999][0], 1e-4);
    PricedLearner.Run other = soft(false, 0.05, 0.0005, 0.1).run(task, NO_SCALE);
    assertEquals(0.4100, other.multipliers()[0], 1e-4);
    assertEquals(0.1001, other.trace()[3999][0], 1e-4);
  }

  @Test
  void largerGainsSettleAfterThePublishedNumberOfUpdates() {
    ConstrainedTask task = KnownTasks.bandit();
    PricedLearner.Run integral = soft(false, 0, 0.05, 0).run(task, NO_SCALE);
    assertEquals(1.5, integral.multipliers()[0], 1e-6);
    assertEquals(236, integral.settledAfter(task.limits(), SHARE));
    PricedLearner.Run both = soft(false, 0.1, 0.1, 0).run(task, NO_SCALE);
    assertEquals(121, both.settledAfter(task.limits(), SHARE));
  }

  @Test
  void defaultGainsInUnitsOfAdvantagesSettleAfterThePublishedNumberOfUpdates() {
    ConstrainedTask arms = KnownTasks.bandit();
    assertArrayEquals(new double[] {1.5}, PricedLearner.scales(arms), 1e-9);
    PricedLearner.Run ofArms = soft(true, 0.2, 0.05, 0).run(arms, PricedLearner.scales(arms));
    assertEquals(60, ofArms.settledAfter(arms.limits(), SHARE));
    ConstrainedTask states = KnownTasks.freshOrTired(0.7);
    assertArrayEquals(new double[] {1.389852}, PricedLearner.scales(states), 1e-6);
    PricedLearner.Run ofStates = soft(true, 0.2, 0.05, 0).run(states, PricedLearner.scales(states));
    assertEquals(182, ofStates.settledAfter(states.limits(), SHARE));
    assertEquals(1.9677, ofStates.multipliers()[0], 2e-4);
    assertEquals(5.9499, states.process().values(ofStates.lastPolicy())[0], 1e-4);
  }

  @Test
  void gainsThatAreTooLargeSwingForEver() {
    ConstrainedTask task = KnownTasks.bandit();
    PricedLearner.Run run = soft(true, 0.5, 0.05, 0.05).run(task, PricedLearner.scales(task));
    double low = 1;
    double high = 0;
    for (int update = 3000; update < 4000; update++) {
      low = Math.min(low, run.trace()[update][0]);
      high = Math.max(high, run.trace()[update][0]);
    }
    assertTrue(low < 0.15 && high > 0.45);
  }

  @Test
  void averagedVisitsOfRandomProcessesAreWithinOnePercentOfTheProgram() {
    for (int seed = 1; seed <= 20; seed++) {
      ConstrainedTask task = KnownTasks.random(seed);
      ConstrainedProcess process = task.process();
      double optimum =
          assertInstanceOf(
                  OccupancyProgram.Optimum.class,
                  new OccupancyProgram(process).solve(task.limits()))
              .value();
      PricedLearner.Run run = PricedLearner.DEFAULT.run(task, NO_SCALE);
      double[] averaged = process.values(run.averagedPolicy());
      assertEquals(optimum, averaged[0], 0.01 * optimum);
      assertTrue(task.violationShare(averaged) <= 0.01);
      double[] last = process.values(run.lastPolicy());
      assertEquals(optimum, last[0], 0.05 * optimum);
      assertTrue(task.violationShare(last) <= 0.03);
    }
  }

  @Test
  void aLimitThatCannotBeKeptBringsItsPriceToTheCapForGood() {
    ConstrainedTask task = KnownTasks.impossible();
    PricedLearner.Run run = PricedLearner.DEFAULT.run(task, PricedLearner.scales(task));
    assertArrayEquals(new double[] {PricedLearner.CAP}, run.multipliers());
    assertTrue(run.hopeless()[0]);
  }
}
