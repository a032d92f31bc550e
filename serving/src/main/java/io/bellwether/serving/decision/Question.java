package io.bellwether.serving.decision;

import io.bellwether.policy.scoring.DecisionSeed;
import io.bellwether.serving.deadline.Deadline;
import io.bellwether.serving.experiment.Assigned;
import io.bellwether.serving.experiment.Assignments;
import io.bellwether.serving.experiment.Occasion;
import org.jspecify.annotations.Nullable;

/**
 * A request with what was fixed when it was read: whoever answers it, the policy in time or its
 * stand-in, decides at the same moment, for the same variant and with the same seed.
 *
 * @param assignments the state of the experiments by which the variant was chosen
 * @param seed of everything random in the decision
 * @param deadline when the answer must have left
 * @param clock where its time goes
 * @param traceId absent where the caller sent none
 */
record Question(
    DecisionRequest request,
    Occasion occasion,
    Assignments assignments,
    Assigned assigned,
    long seed,
    Deadline deadline,
    StageClock clock,
    @Nullable String traceId) {

  static Question of(
      DecisionRequest request,
      Occasion occasion,
      Assignments assignments,
      Assigned assigned,
      Deadline deadline,
      StageClock clock,
      @Nullable String traceId) {
    return new Question(
        request,
        occasion,
        assignments,
        assigned,
        DecisionSeed.seedOf(request.decisionId()),
        deadline,
        clock,
        traceId);
  }
}
