package io.bellwether.trainer.algorithm;

import io.bellwether.trainer.graph.TrainingSession;

/** What a trained actor says about all candidates of a data set: what later stages are given. */
final class ActorChances {
  private static final String LOG_POLICY = "logPolicy";

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
    LearnerData data = engine.data();
    int slots = data.mostCandidates();
    StepGraph graph = new StepGraph(policy.networks(), engine.plan(), slots, new float[0]);
    graph.report(LOG_POLICY, graph.actor().logPolicy(Moment.NOW));
    BatchFeed feed = new BatchFeed(data, policy.networks().schema(), slots, engine.scale());
    int[] rows = new int[engine.plan().batchSize()];
    float[] chances = new float[data.itemOffsets()[data.rows()]];
    try (TrainingSession session = graph.open(engine.environment())) {
      session.floats(StepGraph.ACTOR).put(policy.actor().values());
      for (int from = 0; from < data.rows(); from += rows.length) {
        int count = Math.min(rows.length, data.rows() - from);
        for (int i = 0; i < rows.length; i++) {
          rows[i] = from + Math.min(i, count - 1);
        }
        feed.fill(session, rows);
        session.step();
        float[] values = session.values(LOG_POLICY);
        for (int i = 0; i < count; i++) {
          int first = data.itemOffsets()[from + i];
          System.arraycopy(values, i * slots, chances, first, data.candidates(from + i));
        }
      }
    }
    return chances;
  }
}
