package io.bellwether.loadtest.learning.kuairand;

import io.bellwether.policy.schema.FeatureSchema;
import io.bellwether.policy.scoring.Exploration;
import io.bellwether.policy.scoring.MixedWeights;
import io.bellwether.policy.scoring.ScoredBatch;
import io.bellwether.policy.scoring.Scorer;
import io.bellwether.policy.scoring.ScoringBatch;
import io.bellwether.trainer.algorithm.LearnerData;
import io.bellwether.trainer.algorithm.TrainedPolicy;
import io.bellwether.trainer.export.OnnxExporter;
import io.bellwether.trainer.network.NetworkSchema;
import java.util.Arrays;
import java.util.TreeMap;

/**
 * What an exported network says about every candidate of rows.
 *
 * @param chances per candidate; each row sums to 1
 * @param values {@code values[candidate * signals + signal]}, in the signals' own units
 */
@SuppressWarnings("ArrayRecordComponent") // shared, not compared
record CandidateScores(float[] chances, float[] values) {
  private static final int ROWS_PER_BATCH = 32;
  private static final float[] NO_HISTORY = {};

  static CandidateScores of(TrainedPolicy trained, LearnerData data, Exploration exploration) {
    NetworkSchema schema = trained.networks().schema();
    int context = schema.context().size();
    int item = schema.item().size();
    int signals = schema.signals().size();
    FeatureSchema taken = new FeatureSchema("kuairand", context, 0, 0, item, schema.signals());
    int candidates = data.itemOffsets()[data.rows()];
    float[] chances = new float[candidates];
    float[] values = new float[candidates * signals];
    byte[] graph = new OnnxExporter().export(trained, new TreeMap<>());
    ScoringBatch batch = new ScoringBatch(taken);
    MixedWeights weights = new MixedWeights();
    try (Scorer scorer = Scorer.open(graph, taken)) {
      for (int from = 0; from < data.rows(); from += ROWS_PER_BATCH) {
        int to = Math.min(data.rows(), from + ROWS_PER_BATCH);
        batch.clear();
        for (int row = from; row < to; row++) {
          batch.beginRequest(
              Arrays.copyOfRange(data.context(), row * context, (row + 1) * context), NO_HISTORY);
          for (int place = data.itemOffsets()[row]; place < data.itemOffsets()[row + 1]; place++) {
            batch.addCandidate(data.items(), place * item);
          }
        }
        ScoredBatch scored = scorer.score(batch);
        int first = data.itemOffsets()[from];
        for (int row = from; row < to; row++) {
          weights.set(scored.logits(), scored.from(row - from), scored.to(row - from), exploration);
          for (int candidate = 0; candidate < weights.count(); candidate++) {
            chances[data.itemOffsets()[row] + candidate] = (float) weights.weight(candidate);
          }
        }
        for (int place = 0; place < scored.logits().length; place++) {
          for (int signal = 0; signal < signals; signal++) {
            values[(first + place) * signals + signal] = scored.value(place, signal);
          }
        }
      }
    }
    return new CandidateScores(chances, values);
  }

  /** The chance of each row's logged action. */
  double[] ofLogged(LearnerData data) {
    double[] logged = new double[data.rows()];
    for (int row = 0; row < logged.length; row++) {
      logged[row] = chances[data.itemOffsets()[row] + data.action()[row]];
    }
    return logged;
  }
}
