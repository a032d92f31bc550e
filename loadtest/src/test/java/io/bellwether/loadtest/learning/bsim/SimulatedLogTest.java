package io.bellwether.loadtest.learning.bsim;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.loadtest.people.Profile;
import io.bellwether.loadtest.people.ShortVideoWorld;
import io.bellwether.trainer.algorithm.LearnerData;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimulatedLogTest {
  private final ShortVideoWorld world = ShortVideoWorld.of(Profile.KUAIRAND);

  @Test
  void theFirstSessionIsThatOfTheSpecification() {
    LearnerData data = SimulatedLog.of(world, 0, 1).data();
    int[] actions = {8, 8, 13, 7};
    double[] propensities = {0.053153711, 0.474740033, 0.160181870, 0.034779501};
    double[] watched = {1.007583022, 1.221674151, 0.906457126, 1.103363910};
    int[] items = {22, 727, 322, 733};
    for (int row = 0; row < actions.length; row++) {
      assertEquals(actions[row], data.action()[row]);
      assertEquals(propensities[row], data.propensity()[row], 1e-9);
      assertEquals(watched[row], data.rewards()[row * SimulatedFeatures.SIGNALS.size()], 1e-6);
      int shown = data.itemOffsets()[row] + data.action()[row];
      assertEquals(
          world.catalogue().visibleQuality(items[row]),
          column(data, shown, "quality"),
          1e-6,
          "quality of what was shown");
    }
  }

  private static float column(LearnerData data, int candidate, String name) {
    List<String> names =
        SimulatedFeatures.schema().item().stream().map(each -> each.name()).toList();
    return data.items()[candidate * SimulatedFeatures.itemWidth() + names.indexOf(name)];
  }

  @Test
  void rowsOfASessionFollowEachOtherUntilThePersonLeavesOrIsCutOff() {
    LearnerData data = SimulatedLog.of(world, 0, 60).data();
    int left = 0;
    int cut = 0;
    for (int row = 0; row < data.rows(); row++) {
      long session = data.rowId()[row] >> 6;
      long step = data.rowId()[row] & 63;
      boolean last = row + 1 == data.rows() || data.rowId()[row + 1] >> 6 != session;
      assertEquals(last ? -1 : row + 1, data.next()[row]);
      assertTrue(last || !data.terminated()[row]);
      if (last) {
        left += data.terminated()[row] ? 1 : 0;
        cut += data.terminated()[row] ? 0 : 1;
        assertTrue(data.terminated()[row] || step == ShortVideoWorld.MAX_STEPS - 1);
      }
    }
    assertEquals(60, left + cut);
    assertTrue(cut > 0 && left > 0);
  }

  @Test
  void chancesOfARowAreADistributionThatHoldsThePropensity() {
    SimulatedLog log = SimulatedLog.of(ShortVideoWorld.of(Profile.RAGGED), 0, 20);
    LearnerData data = log.data();
    for (int row = 0; row < data.rows(); row++) {
      int first = data.itemOffsets()[row];
      double sum = 0;
      for (int place = first; place < data.itemOffsets()[row + 1]; place++) {
        sum += log.chances()[place];
      }
      assertEquals(1, sum, 1e-6);
      assertEquals(data.propensity()[row], log.chances()[first + data.action()[row]], 1e-7);
    }
  }

  @Test
  void aLogOfASeedIsTheSameAgainAndOfAnotherSeedAnother() {
    SimulatedTask task = new SimulatedTask(Profile.KUAIRAND, 5);
    assertArrayEquals(task.log(1).data().rewards(), task.log(1).data().rewards());
    assertTrue(
        task.log(1).data().rows() != task.log(2).data().rows()
            || task.log(1).data().rewards()[0] != task.log(2).data().rewards()[0]);
  }

  @Test
  void aTaskIsFoundByItsName() {
    for (SimulatedTask task : SimulatedTask.ALL) {
      assertEquals(task, SimulatedTask.of(task.name()));
    }
    for (String wrong : List.of("kuairand", "kuairand-", "-5", "dense-x", "kuairand-0", "")) {
      assertThrows(IllegalArgumentException.class, () -> SimulatedTask.of(wrong), wrong);
    }
  }
}
