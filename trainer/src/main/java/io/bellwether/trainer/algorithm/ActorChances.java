package io.bellwether.trainer.algorithm;

/** What a trained actor says about all candidates of a data set: what later stages are given. */
final class ActorChances {
  private ActorChances() {}

  /**
   * Imitates the log and gives {@code log π(a|s)} of the imitator for every candidate, under this
   * name.
   */
  static Given ofImitator(Engine engine, String name) {
    TrainedPolicy imitator = engine.learn(BehaviourCloning.DEFAULT, Given.NONE);
    return Given.NONE.withCandidates(name, of(engine, imitator));
  }

  /** {@code log π(a|s)} per candidate of the engine's data; about -1e9 where it is closed. */
  static float[] of(Engine engine, TrainedPolicy policy) {
    return CandidatePass.everyCandidate(
        engine, policy, Given.NONE, step -> step.actor().logPolicy(Moment.NOW));
  }
}
