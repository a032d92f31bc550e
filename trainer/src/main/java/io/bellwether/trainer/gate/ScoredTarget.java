package io.bellwether.trainer.gate;

import io.bellwether.ingestion.surface.Surface;
import io.bellwether.policy.schema.FeatureSchema;
import io.bellwether.policy.scoring.Exploration;
import io.bellwether.policy.scoring.MixedWeights;
import io.bellwether.policy.scoring.ScoredBatch;
import io.bellwether.policy.scoring.Scorer;
import io.bellwether.policy.scoring.ScoringBatch;
import io.bellwether.policy.version.PolicyManifest;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import io.bellwether.trainer.data.SurfaceSchema;
import java.util.ArrayList;
import java.util.List;

/**
 * A policy version as it would be served: its graph's scores under its own exploration, or where it
 * has none under the surface's. Each copy owns a scorer from the first decision on.
 */
public final class ScoredTarget implements TargetPolicy {

  private static final long serialVersionUID = 1;

  private final String name;
  private final PortableGraph graph;
  private final double temperature;
  private final double uniform;
  private final double minPropensity;

  private ScoredTarget(String name, PortableGraph graph, Exploration exploration) {
    this.name = name;
    this.graph = graph;
    this.temperature = exploration.temperature();
    this.uniform = exploration.uniform();
    this.minPropensity = exploration.minPropensity();
  }

  /**
   * Takes a version of the store; the caller closes it.
   *
   * @throws TargetRefused where the version takes other features than the surface's log has
   */
  public static ScoredTarget open(PolicyStore store, VersionId version, Surface surface) {
    PolicyManifest manifest = store.manifest(version);
    FeatureSchema features = manifest.features();
    if (!features.digest().equals(SurfaceSchema.policy(surface).digest())) {
      throw new TargetRefused(
          TargetRefused.FEATURE_MISSING,
          "%s takes features that decisions of surface %s do not have, or in another order"
              .formatted(version, surface.name()));
    }
    return new ScoredTarget(
        version.value(),
        new PortableGraph(store.file(version, PolicyManifest.GRAPH), features),
        manifest.exploration() == null ? declared(surface) : manifest.exploration());
  }

  private static Exploration declared(Surface surface) {
    Surface.Exploration declared = surface.exploration();
    return new Exploration(declared.temperature(), declared.uniform(), declared.minPropensity());
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String digest() {
    return "%s %s %s %s".formatted(name, temperature, uniform, minPropensity);
  }

  @Override
  public List<double[]> chances(List<EvaluatedDecision> decisions) {
    Scorer scorer = graph.scorer();
    ScoringBatch batch = new ScoringBatch(scorer.schema());
    for (EvaluatedDecision decision : decisions) {
      batch.add(decision.context(), decision.history(), decision.items());
    }
    ScoredBatch scored = scorer.score(batch);
    Exploration exploration = new Exploration(temperature, uniform, minPropensity);
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
    graph.close();
  }
}
