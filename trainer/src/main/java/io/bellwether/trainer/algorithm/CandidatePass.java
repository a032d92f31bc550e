package io.bellwether.trainer.algorithm;

import io.bellwether.trainer.graph.Tensor;
import io.bellwether.trainer.graph.TrainingSession;
import java.util.Arrays;

/**
 * Looks once at every candidate of given rows through networks that are trained, so that a later
 * stage is given numbers in place of networks.
 */
final class CandidatePass {
  private static final String VALUES = "values";

  /** What is looked at, {@code [B, M, k]} or {@code [B, k]}, about the rows themselves. */
  interface Question {
    Tensor of(StepGraph step);
  }

  /** Takes the answers of one row: those of the batch, and where the row's begin. */
  interface Visitor {
    void row(int row, float[] answers, int from);
  }

  private CandidatePass() {}

  /**
   * Asks about rows in the given order.
   *
   * @param trained whose vectors are used wherever the question asks for one
   */
  static void over(
      Engine engine,
      TrainedPolicy trained,
      Given given,
      int[] rows,
      Question question,
      Visitor visitor) {
    LearnerData data = engine.data();
    StepGraph graph =
        new StepGraph(trained.networks(), engine.plan(), data.mostCandidates(), new float[0]);
    Tensor values = question.of(graph);
    graph.report(VALUES, values);
    int perRow = Math.toIntExact(values.shape().size() / graph.rows());
    BatchFeed feed =
        new BatchFeed(data, given, engine.schema(), data.mostCandidates(), engine.scale());
    int[] batch = new int[engine.plan().batchSize()];
    try (TrainingSession session = graph.open(engine.environment())) {
      for (String name : graph.weightNames()) {
        if (session.hasFeed(name)) {
          session.floats(name).put(trained.weights(name));
        }
      }
      for (int from = 0; from < rows.length; from += batch.length) {
        int count = Math.min(batch.length, rows.length - from);
        for (int i = 0; i < batch.length; i++) {
          batch[i] = rows[from + Math.min(i, count - 1)];
        }
        feed.fill(session, batch);
        session.step();
        float[] answers = session.values(VALUES);
        for (int i = 0; i < count; i++) {
          visitor.row(batch[i], answers, i * perRow);
        }
      }
    }
  }

  /** One number per candidate of the data, where the question has one per slot. */
  static float[] everyCandidate(
      Engine engine, TrainedPolicy trained, Given given, Question question) {
    LearnerData data = engine.data();
    float[] numbers = new float[data.closed().length];
    over(
        engine,
        trained,
        given,
        everyRow(data),
        question,
        (row, answers, from) ->
            System.arraycopy(
                answers, from, numbers, data.itemOffsets()[row], data.candidates(row)));
    return numbers;
  }

  static int[] everyRow(LearnerData data) {
    int[] rows = new int[data.rows()];
    Arrays.setAll(rows, row -> row);
    return rows;
  }
}
