package io.bellwether.loadtest.learning.tabular;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.trainer.algorithm.LearnerData;
import io.bellwether.trainer.algorithm.Promise;
import org.junit.jupiter.api.Test;

class LoggedTaskTest {

  @Test
  void sessionsAreThoseOfTheProcess() {
    ConstrainedTask task = KnownTasks.session("likes", Limit.atLeast(1, 0.6));
    int sessions = 2000;
    LearnerData data = new LoggedTask(task, 3, sessions).data();
    double[] sums = new double[3];
    int last = 0;
    for (int row = 0; row < data.rows(); row++) {
      for (int signal = 0; signal < 3; signal++) {
        sums[signal] += data.rewards()[row * 3 + signal];
      }
      last += data.next()[row] < 0 ? 1 : 0;
      assertTrue(!data.terminated()[row] || data.next()[row] < 0);
    }
    assertEquals(sessions, last);
    assertEquals(8.959735, (double) data.rows() / sessions, 0.5);
    double[] values = task.process().values(task.process().uniform());
    for (int signal = 0; signal < 3; signal++) {
      assertEquals(values[signal], sums[signal] / sessions, 0.06 * values[signal]);
    }
  }

  @Test
  void sessionsThatNeverEndAreCutOff() {
    LearnerData data = new LoggedTask(KnownTasks.freshOrTired(0.7), 3, 2).data();
    assertEquals(2 * LoggedTask.MOST_STEPS, data.rows());
    int last = LoggedTask.MOST_STEPS - 1;
    assertEquals(-1, data.next()[last]);
    assertTrue(!data.terminated()[last]);
    assertEquals(last, data.next()[last - 1]);
  }

  @Test
  void limitsAreSharesOfWhatTheEvenPolicyHas() {
    Promise promise = new LoggedTask(KnownTasks.freshOrTired(0.7), 3, 1).promises().get(0);
    assertEquals(Promise.Sense.AT_LEAST, promise.sense());
    assertEquals(0.7, promise.bound().value(0.439051), 1e-5);
  }
}
