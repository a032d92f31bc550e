package io.bellwether.trainer.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class TrainingPlanTest {
  private static final TrainingPlan PLAN = TrainingPlan.of(1, 4000).withBatchSize(256);

  @Test
  void theRateIsFullForHalfTheStepsAndEndsAtATenth() {
    assertEquals(1e-3, PLAN.rate(1));
    assertEquals(1e-3, PLAN.rate(2000));
    assertEquals(0.55e-3, PLAN.rate(3000), 1e-12);
    assertEquals(1e-4, PLAN.rate(4000), 1e-12);
  }

  @Test
  void aCriticOfNoisyRowsIsLeftAloneAfterTwelveEpochs() {
    int rows = 25_600;
    assertEquals(1e-3, PLAN.criticRate(600, rows));
    assertEquals(1e-4, PLAN.criticRate(1200, rows), 1e-12);
    assertEquals(0, PLAN.criticRate(1201, rows));
  }

  @Test
  void aCriticOfATableLearnsToTheEnd() {
    for (long step = 1; step <= 4000; step++) {
      assertEquals(PLAN.rate(step), PLAN.criticRate(step, 100));
    }
  }

  @Test
  void aCriticOfFewNoisyRowsStillGetsEnoughSteps() {
    assertTrue(PLAN.criticRate(300, 2000) > 0);
    assertEquals(0, PLAN.criticRate(301, 2000));
  }

  @Test
  void aPlanThatCannotTrainIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> TrainingPlan.of(1, 0));
    assertThrows(IllegalArgumentException.class, () -> PLAN.withBatchSize(0));
    assertThrows(IllegalArgumentException.class, () -> PLAN.withLearningRate(0));
  }
}
