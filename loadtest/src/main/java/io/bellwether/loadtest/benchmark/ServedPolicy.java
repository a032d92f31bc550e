package io.bellwether.loadtest.benchmark;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.bellwether.ingestion.feature.FeatureEncoder;
import io.bellwether.ingestion.feature.Violation;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.loadtest.people.Catalogue;
import io.bellwether.loadtest.people.DecisionBatch;
import io.bellwether.loadtest.people.SimulatedPolicy;
import io.bellwether.policy.schema.FeatureSchema;
import io.bellwether.policy.scoring.Exploration;
import io.bellwether.policy.scoring.MixedWeights;
import io.bellwether.policy.scoring.ScoredBatch;
import io.bellwether.policy.scoring.Scorer;
import io.bellwether.policy.scoring.ScoringBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A policy version as serving would play it: features are encoded by the surface, scored by the
 * graph, and explored as the surface declares; the first position of the slate is what people see.
 *
 * <p>Histories are empty: the simulated state holds what people did before. Thread-safe. The scorer
 * is the caller's, who closes it after the last use.
 */
public final class ServedPolicy implements SimulatedPolicy {
  private final FeatureSchema schema;
  private final Scorer scorer;
  private final Exploration exploration;
  private final FeatureEncoder contextEncoder;
  private final float[][] items;
  private final float[] noHistory;
  private final ObjectMapper json = new ObjectMapper();

  /** Batches of calls that are over; at most one per thread that calls at once. */
  private final Queue<ScoringBatch> idle = new ConcurrentLinkedQueue<>();

  /**
   * Encodes the catalogue once.
   *
   * @throws IllegalArgumentException if the surface does not declare the simulated features, or has
   *     other widths than the graph
   */
  public ServedPolicy(Surface surface, Catalogue catalogue, Scorer scorer) {
    this.scorer = scorer;
    this.schema = scorer.schema();
    this.exploration =
        new Exploration(
            surface.exploration().temperature(),
            surface.exploration().uniform(),
            surface.exploration().minPropensity());
    this.contextEncoder = new FeatureEncoder(surface.context());
    this.noHistory = new float[schema.historySize()];
    FeatureEncoder itemEncoder = new FeatureEncoder(surface.item());
    checkWidth("context", contextEncoder.width(), schema.contextWidth());
    checkWidth("item", itemEncoder.width(), schema.itemWidth());
    this.items = new float[Catalogue.ITEMS][];
    for (int item = 0; item < items.length; item++) {
      items[item] = encode(itemEncoder, catalogue.features(item), "/items/" + item);
    }
  }

  private static void checkWidth(String what, int declared, int taken) {
    if (declared != taken) {
      throw new IllegalArgumentException(
          "The surface's %s has %d columns, the graph takes %d.".formatted(what, declared, taken));
    }
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
    ScoringBatch scoring = known == null ? new ScoringBatch(schema) : known;
    for (int row = 0; row < batch.rows(); row++) {
      float[] context = encode(contextEncoder, batch.state(row).features(), "/context");
      scoring.beginRequest(context, noHistory);
      for (int place = batch.offset(row); place < batch.offset(row + 1); place++) {
        scoring.addCandidate(items[batch.item(place)], 0);
      }
    }
    ScoredBatch scored = scorer.score(scoring);
    scoring.clear();
    idle.add(scoring);
    return scored;
  }

  private float[] encode(FeatureEncoder encoder, Map<String, Object> features, String pointer) {
    float[] row = new float[encoder.width()];
    List<Violation> violations = new ArrayList<>();
    encoder.encode(json.valueToTree(features), pointer, row, 0, violations);
    if (!violations.isEmpty()) {
      throw new IllegalArgumentException(
          "The surface is not that of the simulated product: " + violations);
    }
    return row;
  }
}
