package io.bellwether.trainer.pruning;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class PruningScheduleTest {

  private static final double[] PROGRESS = {0, 0.25, 0.5, 0.75, 1};

  @Test
  void theCubicScheduleHasItsKnownValues() {
    assertShares(PruningSchedule.CUBIC, 0, 0.520313, 0.7875, 0.885938, 0.9);
  }

  @Test
  void theHarmonicScheduleHasItsKnownValues() {
    assertShares(PruningSchedule.HARMONIC, 0, 0.461777, 0.669375, 0.852715, 0.9);
  }

  @Test
  void theLinearScheduleIsLinear() {
    assertShares(PruningSchedule.LINEAR, 0, 0.225, 0.45, 0.675, 0.9);
  }

  @Test
  void onlyTheHarmonicScheduleRecedes() {
    for (PruningSchedule schedule : PruningSchedule.values()) {
      boolean recedes = false;
      for (int i = 1; i <= 100; i++) {
        recedes |= schedule.share(0.9, i / 100.0) < schedule.share(0.9, (i - 1) / 100.0);
      }
      assertEquals(schedule == PruningSchedule.HARMONIC, recedes, schedule::name);
      assertEquals(0.9, schedule.share(0.9, 1), schedule::name);
    }
  }

  @Test
  void nothingIsPrunedWholly() {
    assertThrows(IllegalArgumentException.class, () -> PruningSchedule.LINEAR.share(1, 0.5));
    assertThrows(IllegalArgumentException.class, () -> PruningPlan.of(1));
    assertTrue(PruningPlan.of(0.9).steps() > 0);
  }

  private static void assertShares(PruningSchedule schedule, double... expected) {
    for (int i = 0; i < expected.length; i++) {
      assertEquals(expected[i], schedule.share(0.9, PROGRESS[i]), 5e-7);
    }
  }
}
