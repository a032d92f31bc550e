package io.bellwether.trainer.gate;

import io.bellwether.ingestion.surface.Surface;
import io.bellwether.policy.scoring.Exploration;
import io.bellwether.policy.scoring.MixedWeights;
import io.bellwether.policy.scoring.ScoredBatch;
import io.bellwether.policy.scoring.Scorer;
import io.bellwether.policy.scoring.ScoringBatch;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import java.util.ArrayList;
import java.util.List;

/**
 * A policy version as it would be served: its graph's scores under the surface's exploration. Owns
 * the scorer.
 */
public final class ScoredTarget implements TargetPolicy {

  private final String name;
  private final Scorer scorer;
  private final Exploration exploration;

  ScoredTarget(String name, Scorer scorer, Exploration exploration) {
    this.name = name;
    this.scorer = scorer;
    this.exploration = exploration;
  }

  /** Opens a version of the store; the caller closes it. */
  public static ScoredTarget open(PolicyStore store, VersionId version, Surface surface) {
    Surface.Exploration declared = surface.exploration();
    return new ScoredTarget(
        version.value(),
        store.open(version),
        new Exploration(declared.temperature(), declared.uniform(), declared.minPropensity()));
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public List<double[]> chances(List<EvaluatedDecision> decisions) {
    ScoringBatch batch = new ScoringBatch(scorer.schema());
    for (EvaluatedDecision decision : decisions) {
      batch.add(decision.context(), decision.history(), decision.items());
    }
    ScoredBatch scored = scorer.score(batch);
    MixedWeights weights = new MixedWeights();
    List<double[]> chances = new ArrayList<>(decisions.size());
    for (int i = 0; i < decisions.size(); i++) {
      weights.set(scored.logits(), scored.from(i), scored.to(i), exploration);
      double[] ofDecision = new double[weights.count()];
      weights.copyTo(ofDecision);
      chances.add(ofDecision);
    }
    return chances;
  }

  @Override
  public void close() {
    scorer.close();
  }
}
