package io.bellwether.trainer.job;

import io.bellwether.trainer.data.DataSummary;
import java.util.Map;

/** What came of a learner's task. */
sealed interface LearnerOutcome {

  /** A policy. */
  @SuppressWarnings("ArrayRecordComponent") // carried, not compared
  record Trained(byte[] graph, DataSummary data, Map<String, Double> metrics)
      implements LearnerOutcome {}

  /** None, for a reason that training again would not change. */
  record Refused(TrainingFailed.Kind kind, String reason) implements LearnerOutcome {}
}
