package io.bellwether.loadtest.learning.tabular;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.trainer.algorithm.Algorithms;
import java.util.List;
import org.junit.jupiter.api.Test;

class NetworkStudyTest {
  private static NetworkStudy.Row row(ConstrainedTask task, String algorithm, long steps) {
    return NetworkStudy.row(new LoggedTask(task, 1, 400), Algorithms.of(algorithm), steps);
  }

  @Test
  void aCloneIsWorthWhatTheLoggingPolicyIs() {
    NetworkStudy.Row row =
        row(KnownTasks.session("likes", Limit.atLeast(1, 0.6)), "behaviour-cloning", 200);
    assertEquals(8.448063, row.value(), 0.3);
    assertEquals(9.979425, row.optimum(), 1e-6);
    assertEquals((row.optimum() - row.value()) / row.optimum(), row.gapShare(), 1e-12);
    assertEquals((0.6 - 0.368870) / 0.6, row.violationShare(), 0.05);
    assertEquals(row.violationShare(), new NetworkStudy(List.of(row)).worstGap(row.algorithm()));
  }

  @Test
  void aLearnerUnderAPromiseFindsTheMixtureOfTwoArms() {
    NetworkStudy.Row row = row(KnownTasks.bandit(), "constrained-actor-critic", 600);
    assertTrue(row.worst() < 0.05, row.toString());
  }

  @Test
  void anAlgorithmThatDidNotRunHasNoGap() {
    NetworkStudy nothing = new NetworkStudy(List.of());
    assertThrows(IllegalArgumentException.class, () -> nothing.worstGap("pid"));
    assertEquals(5, NetworkStudy.tasks().size());
  }
}
