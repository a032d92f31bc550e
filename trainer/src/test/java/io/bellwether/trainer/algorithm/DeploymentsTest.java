package io.bellwether.trainer.algorithm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class DeploymentsTest {
  private static final TabularProcess PROCESS = TabularProcess.freshOrTired();

  /** Eight rows from this id on. */
  private static LearnerData from(long id) {
    return PlayedBandit.renumbered(PROCESS.weighted(), id);
  }

  @Test
  void everyDeploymentCountsHalfOfTheNextNewer() {
    Deployments all = Deployments.of(List.of(from(2000), from(0), from(1000)));
    LearnerData faded = all.faded();
    for (int row = 0; row < faded.rows(); row++) {
      double age = row < 8 ? 1 : row < 16 ? 2 : 0;
      assertEquals(age, all.ages()[row]);
      assertEquals(
          PROCESS.weighted().weight()[row % 8] * Math.pow(0.5, age), faded.weight()[row], 1e-7);
      assertEquals(age > 0, all.isOlderThan(0)[row]);
    }
  }

  @Test
  void rowsKeepAllThatTheySayAndTheirFollowers() {
    LearnerData alone = PROCESS.weighted();
    LearnerData joined = Deployments.of(List.of(from(0), from(1000))).data();
    joined.validate(PROCESS.schema());
    assertEquals(16, joined.rows());
    for (int row = 0; row < 16; row++) {
      int own = row % 8;
      assertEquals(PROCESS.state(alone, own), PROCESS.state(joined, row));
      assertEquals(alone.action()[own], joined.action()[row]);
      assertEquals(alone.next()[own] + row - own, joined.next()[row]);
      assertEquals(alone.rewards()[2 * own + 1], joined.rewards()[2 * row + 1]);
    }
    assertArrayEquals(Deployments.of(List.of(from(0))).data().items(), alone.items());
  }

  @Test
  void aRowOfTwoDeploymentsIsRefused() {
    assertThrows(
        InvalidLearnerDataException.class, () -> Deployments.of(List.of(from(0), from(0))));
    assertThrows(InvalidLearnerDataException.class, () -> Deployments.of(List.of()));
  }
}
