package io.bellwether.loadtest.learning.tabular;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class TabularStudyTest {

  @Test
  void averagedPoliciesAreWithinOnePercentOfEveryOptimum() {
    TabularStudy study = TabularStudy.run();
    assertEquals(27 * TabularStudy.Learner.values().length, study.rows().size());
    assertTrue(study.worstGap(TabularStudy.Learner.PID_AVERAGED) <= 0.01);
    assertTrue(study.worstGap(TabularStudy.Learner.SINGLE_CRITIC) <= 0.01);
    assertTrue(study.worstGap(TabularStudy.Learner.TWO_STAGE) <= 0.02);
    assertEquals(1, study.refusals().size());
  }

  @Test
  void whatNoPolicyCanKeepIsRefusedByProgramAndLearner() {
    TabularStudy.Refusal refusal = TabularStudy.refusal(KnownTasks.impossible());
    assertTrue(refusal.byProgram());
    assertTrue(refusal.byLearner());
    assertEquals(0.849857, refusal.farthest().get(0), 1e-6);
    assertEquals(List.of(refusal), List.of(TabularStudy.refusal(KnownTasks.impossible())));
  }
}
