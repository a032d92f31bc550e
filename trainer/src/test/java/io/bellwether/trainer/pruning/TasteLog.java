package io.bellwether.trainer.pruning;

import io.bellwether.policy.schema.FeatureSchema;
import io.bellwether.policy.scoring.CounterRandom;
import io.bellwether.policy.scoring.ScoredBatch;
import io.bellwether.policy.scoring.Scorer;
import io.bellwether.policy.scoring.ScoringBatch;
import io.bellwether.trainer.algorithm.LearnerData;
import io.bellwether.trainer.network.Column;
import io.bellwether.trainer.network.NetworkSchema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Logged choices of people with tastes: the worth of an item is known, and the log was written by a
 * policy that knows it and explores.
 */
final class TasteLog {

  private static final int TASTES = 4;
  private static final int CONTEXT = 8;
  private static final int CANDIDATES = 12;

  private TasteLog() {}

  static NetworkSchema schema() {
    List<Column> context = new ArrayList<>();
    for (int i = 0; i < CONTEXT; i++) {
      context.add(new Column.Number("c" + i));
    }
    List<Column> item = new ArrayList<>();
    for (int i = 0; i <= TASTES; i++) {
      item.add(new Column.Number("i" + i));
    }
    return new NetworkSchema(context, List.of(), 0, item, List.of("worth"));
  }

  static FeatureSchema features() {
    return new FeatureSchema("7a57e", CONTEXT, 0, 0, TASTES + 1, List.of("worth"));
  }

  /** Worth in (0, 1): half taste, and a quality of which people have had enough at some point. */
  private static double worth(float[] context, float[] items, int from) {
    double taste = 0;
    for (int i = 0; i < TASTES; i++) {
      taste += context[i] * items[from + i];
    }
    double quality = items[from + TASTES];
    double enough = quality - 0.5 * Math.max(0, quality - context[TASTES]);
    return 1 / (1 + Math.exp(-taste / 2 - enough));
  }

  static LearnerData rows(long seed, int count) {
    List<LearnerData.Row> rows = new ArrayList<>();
    for (int row = 0; row < count; row++) {
      float[] context = normal(seed, 1, row, CONTEXT);
      float[] items = normal(seed, 2, row, CANDIDATES * (TASTES + 1));
      double[] weights = new double[CANDIDATES];
      double sum = 0;
      for (int i = 0; i < CANDIDATES; i++) {
        weights[i] = Math.exp(8 * worth(context, items, i * (TASTES + 1)));
        sum += weights[i];
      }
      double left = CounterRandom.uniform(seed, 3, row, 0, 0) * sum;
      int action = 0;
      while (action < CANDIDATES - 1 && left > weights[action]) {
        left -= weights[action++];
      }
      rows.add(
          new LearnerData.Row(
              row,
              context,
              new float[0],
              items,
              new int[0],
              action,
              weights[action] / sum,
              new float[] {(float) worth(context, items, action * (TASTES + 1))},
              true,
              null,
              1));
    }
    return LearnerData.of(schema(), rows);
  }

  private static float[] normal(long seed, int what, int row, int size) {
    float[] values = new float[size];
    for (int i = 0; i < size; i++) {
      values[i] = (float) CounterRandom.normal(seed, what, row, i, 0);
    }
    return values;
  }

  /** Mean worth of what a graph's softmax chooses. */
  static double value(byte[] graph, LearnerData data) {
    double value = 0;
    int width = TASTES + 1;
    try (Scorer scorer = Scorer.open(graph, features())) {
      ScoringBatch batch = new ScoringBatch(features());
      for (int row = 0; row < data.rows(); row++) {
        float[] context = Arrays.copyOfRange(data.context(), row * CONTEXT, (row + 1) * CONTEXT);
        int from = data.itemOffsets()[row] * width;
        float[] items = Arrays.copyOfRange(data.items(), from, data.itemOffsets()[row + 1] * width);
        batch.clear();
        batch.add(context, new float[0], items);
        ScoredBatch scored = scorer.score(batch);
        double sum = 0;
        double worth = 0;
        for (int i = 0; i < CANDIDATES; i++) {
          double weight = Math.exp(scored.logits()[i]);
          sum += weight;
          worth += weight * worth(context, items, i * width);
        }
        value += worth / sum / data.rows();
      }
    }
    return value;
  }
}
