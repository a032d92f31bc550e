package io.bellwether.trainer.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bellwether.trainer.algorithm.Promise;
import org.junit.jupiter.api.Test;

class LearnerTaskTest {

  @Test
  void anAbsolutePromisePerDecisionIsSharedByThePositionsOfItsSlate() {
    assertEquals(
        new Promise(1, Promise.Sense.AT_MOST, new Promise.Absolute(0.05)),
        new LearnerTask.PromiseSpec(1, false, 0.2, false).promise(4));
  }

  @Test
  void aShareOfTheLogIsTheSameForDecisionsAndPositions() {
    assertEquals(
        new Promise(2, Promise.Sense.AT_LEAST, new Promise.ShareOfLog(0.9)),
        new LearnerTask.PromiseSpec(2, true, 0.9, true).promise(6));
  }
}
