package io.bellwether.trainer.job;

import io.bellwether.policy.version.PolicyManifest;
import io.bellwether.trainer.data.DataSummary;
import java.util.Map;
import java.util.SortedMap;

/** What came of a learner's task. */
sealed interface LearnerOutcome {

  /**
   * A policy.
   *
   * @param files of the version by path, the graph among them
   */
  record Trained(SortedMap<String, byte[]> files, DataSummary data, Map<String, Double> metrics)
      implements LearnerOutcome {

    public Trained {
      if (!files.containsKey(PolicyManifest.GRAPH)) {
        throw new IllegalArgumentException("a policy without its graph, with " + files.keySet());
      }
    }
  }

  /** None, for a reason that training again would not change. */
  record Refused(TrainingFailed.Kind kind, String reason) implements LearnerOutcome {}
}
