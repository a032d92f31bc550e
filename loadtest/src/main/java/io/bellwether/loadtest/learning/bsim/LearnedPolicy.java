package io.bellwether.loadtest.learning.bsim;

import io.bellwether.loadtest.people.Catalogue;
import io.bellwether.loadtest.people.DecisionBatch;
import io.bellwether.loadtest.people.SimulatedPolicy;
import io.bellwether.policy.schema.FeatureSchema;
import io.bellwether.policy.scoring.Exploration;
import io.bellwether.policy.scoring.MixedWeights;
import io.bellwether.policy.scoring.ScoredBatch;
import io.bellwether.policy.scoring.Scorer;
import io.bellwether.policy.scoring.ScoringBatch;
import io.bellwether.trainer.algorithm.TrainedPolicy;
import io.bellwether.trainer.export.OnnxExporter;
import java.util.List;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * What a learner left behind, as it would be served: its exported graph, opened and scored as a
 * policy version is, and explored as it was trained to be.
 *
 * <p>Thread-safe. Owns a native session until {@link #close}.
 */
public final class LearnedPolicy implements SimulatedPolicy, AutoCloseable {
  private static final float[] NO_HISTORY = {};

  private final SimulatedFeatures features;
  private final Scorer scorer;
  private final Exploration exploration;

  /** Batches of calls that are over; at most one per thread that calls at once. */
  private final Queue<ScoringBatch> idle = new ConcurrentLinkedQueue<>();

  private LearnedPolicy(SimulatedFeatures features, Scorer scorer, Exploration exploration) {
    this.features = features;
    this.scorer = scorer;
    this.exploration = exploration;
  }

  /**
   * Opens an exported graph over the columns of {@link SimulatedFeatures#schema}.
   *
   * @param exploration with which it is served
   */
  public static LearnedPolicy of(byte[] graph, Catalogue catalogue, Exploration exploration) {
    return new LearnedPolicy(
        new SimulatedFeatures(catalogue), Scorer.open(graph, schema()), exploration);
  }

  /** Opens what a learner left behind, as it was trained. */
  public static LearnedPolicy of(
      TrainedPolicy trained, Catalogue catalogue, Exploration exploration) {
    return of(new OnnxExporter().export(trained, new TreeMap<>()), catalogue, exploration);
  }

  /** What such a graph takes; its values are not asked for. */
  static FeatureSchema schema() {
    return new FeatureSchema(
        "simulated",
        SimulatedFeatures.contextWidth(),
        0,
        0,
        SimulatedFeatures.itemWidth(),
        List.of());
  }

  @Override
  public void fill(DecisionBatch batch, double[] probabilities) {
    ScoredBatch scored = score(batch);
    MixedWeights weights = new MixedWeights();
    for (int row = 0; row < batch.rows(); row++) {
      weights.set(scored.logits(), scored.from(row), scored.to(row), exploration);
      for (int candidate = 0; candidate < weights.count(); candidate++) {
        probabilities[batch.offset(row) + candidate] = weights.weight(candidate);
      }
    }
  }

  private ScoredBatch score(DecisionBatch batch) {
    ScoringBatch known = idle.poll();
    ScoringBatch scoring = known == null ? new ScoringBatch(scorer.schema()) : known;
    float[] context = new float[SimulatedFeatures.contextWidth()];
    float[] item = new float[SimulatedFeatures.itemWidth()];
    for (int row = 0; row < batch.rows(); row++) {
      features.context(batch.state(row), context, 0);
      scoring.beginRequest(context, NO_HISTORY);
      for (int place = batch.offset(row); place < batch.offset(row + 1); place++) {
        features.item(batch.state(row), batch.item(place), item, 0);
        scoring.addCandidate(item, 0);
      }
    }
    ScoredBatch scored = scorer.score(scoring);
    scoring.clear();
    idle.add(scoring);
    return scored;
  }

  @Override
  public void close() {
    scorer.close();
  }
}
