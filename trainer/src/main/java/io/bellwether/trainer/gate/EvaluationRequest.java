package io.bellwether.trainer.gate;

import io.bellwether.ingestion.surface.Surface;
import io.bellwether.trainer.data.Subjects;
import io.bellwether.trainer.data.TransitionSource;

/**
 * What an evaluation rests on, fixed before anybody looks at the data.
 *
 * @param surface whose objective and constraints decide
 * @param source of the logged decisions
 * @param subjects whose decisions are used; those that the target learned from should not be
 * @param alpha error probability of the verdict, in (0, 0.5)
 * @param minLift share of the baseline's value by which the target must be shown to be better;
 *     negative for "not much worse"
 * @param modelSteps training steps of each fold's reward model; 0 for none, and then
 *     self-normalised importance sampling decides
 * @param seed of the reward models
 */
public record EvaluationRequest(
    Surface surface,
    TransitionSource source,
    Subjects subjects,
    double alpha,
    double minLift,
    long modelSteps,
    long seed) {

  public EvaluationRequest {
    if (modelSteps < 0) {
      throw new IllegalArgumentException("a reward model of " + modelSteps + " steps");
    }
  }

  /** All subjects, 5 % error probability, any improvement, 500 steps. */
  public static EvaluationRequest of(Surface surface, TransitionSource source) {
    return new EvaluationRequest(surface, source, Subjects.all(), 0.05, 0, 500, 1);
  }

  public EvaluationRequest withSubjects(Subjects other) {
    return new EvaluationRequest(surface, source, other, alpha, minLift, modelSteps, seed);
  }

  public EvaluationRequest withAlpha(double probability) {
    return new EvaluationRequest(surface, source, subjects, probability, minLift, modelSteps, seed);
  }

  public EvaluationRequest withMinLift(double share) {
    return new EvaluationRequest(surface, source, subjects, alpha, share, modelSteps, seed);
  }

  public EvaluationRequest withModelSteps(long steps) {
    return new EvaluationRequest(surface, source, subjects, alpha, minLift, steps, seed);
  }

  public EvaluationRequest withSeed(long other) {
    return new EvaluationRequest(surface, source, subjects, alpha, minLift, modelSteps, other);
  }
}
