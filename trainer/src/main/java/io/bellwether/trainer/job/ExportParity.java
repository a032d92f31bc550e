package io.bellwether.trainer.job;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.policy.schema.FeatureSchema;
import io.bellwether.policy.scoring.ScoredBatch;
import io.bellwether.policy.scoring.Scorer;
import io.bellwether.policy.scoring.ScoringBatch;
import io.bellwether.trainer.algorithm.LearnerData;
import io.bellwether.trainer.algorithm.TrainedPolicy;
import io.bellwether.trainer.graph.ElementType;
import io.bellwether.trainer.graph.Graph;
import io.bellwether.trainer.graph.Shape;
import io.bellwether.trainer.graph.Tensor;
import io.bellwether.trainer.graph.TrainingSession;
import io.bellwether.trainer.network.Candidates;
import io.bellwether.trainer.network.NetworkSchema;
import io.bellwether.trainer.network.StateRows;
import io.bellwether.trainer.network.Weights;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * Holds an exported graph against the training form of the same network: padded batches with
 * weights as an input on one side, ragged batches with weights as constants on the other, over the
 * same rows of the data and at several batch sizes. Stateless.
 */
final class ExportParity {

  private static final int[] REQUESTS = {1, 2, 7, 100};
  private static final double TOLERANCE = 1e-5;

  private ExportParity() {}

  /**
   * The largest difference of a logit found, relative to the logit where that is above 1.
   *
   * @throws TrainingFailed where one is larger than 1e-5
   */
  static double check(
      TrainedPolicy policy, byte[] exported, FeatureSchema schema, LearnerData data) {
    double largest = 0;
    try (Scorer scorer = Scorer.open(exported, schema)) {
      for (int requests : REQUESTS) {
        int[] rows = new int[requests];
        Arrays.setAll(rows, i -> i % data.rows());
        Rows sample = new Rows(policy.networks().schema(), data, rows);
        float[] trained = sample.trainingForward(policy);
        float[] served = sample.served(scorer);
        for (int i = 0; i < served.length; i++) {
          double difference =
              Math.abs((double) trained[i] - served[i]) / Math.max(1, Math.abs(trained[i]));
          if (!(difference <= TOLERANCE)) {
            throw new TrainingFailed(
                TrainingFailed.Kind.EXPORT_DIFFERS,
                "candidate %d of %d requests scores %s in training and %s when exported"
                    .formatted(i, requests, trained[i], served[i]));
          }
          largest = Math.max(largest, difference);
        }
      }
    }
    return largest;
  }

  /** Some rows of a data set, with all their candidates one after the other. */
  @SuppressWarnings("ArrayRecordComponent") // carried, not compared
  private record Rows(NetworkSchema schema, LearnerData data, int[] rows) {

    float[] trainingForward(TrainedPolicy policy) {
      int slots = data.mostCandidates();
      int itemWidth = schema.item().size();
      Graph graph = new Graph();
      Tensor context = floats(graph, "context", rows.length, schema.context().size());
      Tensor history =
          schema.hasHistory()
              ? floats(
                  graph, "history", rows.length, schema.historyLength(), schema.history().size())
              : null;
      Tensor items = floats(graph, "items", (long) rows.length * slots, itemWidth);
      Tensor weights = floats(graph, "weights", policy.actor().values().length);
      graph.output(
          "logits",
          policy
              .networks()
              .actor()
              .logits(
                  Weights.fixed(policy.actor().layout(), weights),
                  new StateRows(context, history),
                  items,
                  new Candidates.Padded(slots)));
      try (TrainingSession session =
          new TrainingSession(OrtEnvironment.getEnvironment(), graph, List.of())) {
        session.floats("context").put(states(data.context(), schema.context().size()));
        if (schema.hasHistory()) {
          session.floats("history").put(states(data.history(), historySize()));
        }
        FloatBuffer padded = session.floats("items");
        for (int i = 0; i < rows.length; i++) {
          padded.position(i * slots * itemWidth).put(items(rows[i]));
        }
        session.floats("weights").put(policy.actor().values());
        session.step();
        return compact(session.values("logits"), slots);
      }
    }

    float[] served(Scorer scorer) {
      ScoringBatch batch = new ScoringBatch(scorer.schema());
      int width = schema.context().size();
      for (int row : rows) {
        batch.add(
            Arrays.copyOfRange(data.context(), row * width, (row + 1) * width),
            Arrays.copyOfRange(data.history(), row * historySize(), (row + 1) * historySize()),
            items(row));
      }
      ScoredBatch scored = scorer.score(batch);
      return Arrays.copyOf(scored.logits(), batch.candidates());
    }

    private static Tensor floats(Graph graph, String name, long... shape) {
      return graph.input(name, ElementType.FLOAT, Shape.of(shape));
    }

    private float[] states(float[] column, int width) {
      float[] states = new float[rows.length * width];
      for (int i = 0; i < rows.length; i++) {
        System.arraycopy(column, rows[i] * width, states, i * width, width);
      }
      return states;
    }

    private float[] items(int row) {
      int width = schema.item().size();
      return Arrays.copyOfRange(
          data.items(), data.itemOffsets()[row] * width, data.itemOffsets()[row + 1] * width);
    }

    private float[] compact(float[] padded, int slots) {
      int count = Arrays.stream(rows).map(data::candidates).sum();
      float[] compact = new float[count];
      int at = 0;
      for (int i = 0; i < rows.length; i++) {
        int candidates = data.candidates(rows[i]);
        System.arraycopy(padded, i * slots, compact, at, candidates);
        at += candidates;
      }
      return compact;
    }

    private int historySize() {
      return schema.historyLength() * schema.history().size();
    }
  }
}
