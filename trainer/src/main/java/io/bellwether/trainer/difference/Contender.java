package io.bellwether.trainer.difference;

import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.feature.Floats;
import io.bellwether.ingestion.surface.InvalidSurfaceException;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.ingestion.surface.SurfaceReader;
import io.bellwether.policy.scoring.Exploration;
import io.bellwether.policy.scoring.Scorer;
import io.bellwether.policy.scoring.ScoringBatch;
import io.bellwether.policy.version.PolicyManifest;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import io.bellwether.trainer.data.Reread;
import io.bellwether.trainer.data.TransitionSource;
import io.bellwether.trainer.recipe.Recipe;
import java.io.IOException;
import java.util.Optional;

/**
 * One of the two versions that are compared, with the way in which logged decisions are put before
 * it. Owns its scorer. Confined to one thread.
 *
 * @param reread puts decisions of other layouts into the version's own; empty where the version
 *     does not say which surface it was trained for
 * @param exploration of that surface; empty likewise
 */
record Contender(
    VersionId version, Scorer scorer, Optional<Reread> reread, Optional<Exploration> exploration)
    implements AutoCloseable {

  static Contender open(PolicyStore store, VersionId version, TransitionSource source)
      throws IOException {
    Optional<Surface> surface = surface(store, version);
    Optional<Reread> reread =
        surface.isEmpty() ? Optional.empty() : Optional.of(Reread.of(surface.get(), source, null));
    PolicyManifest manifest = store.manifest(version);
    Optional<Exploration> exploration =
        Optional.ofNullable(manifest.exploration())
            .or(() -> surface.map(Surface::exploration).map(Contender::exploration));
    return new Contender(version, store.open(version), reread, exploration);
  }

  private static Exploration exploration(Surface.Exploration declared) {
    return new Exploration(declared.temperature(), declared.uniform(), declared.minPropensity());
  }

  private static Optional<Surface> surface(PolicyStore store, VersionId version)
      throws IOException {
    if (!store.manifest(version).hasFile(Recipe.SURFACE)) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new SurfaceReader().parse(Recipe.SURFACE, store.file(version, Recipe.SURFACE)));
    } catch (InvalidSurfaceException e) {
      throw new IOException("the surface of " + version + " is not read any more", e);
    }
  }

  /** Its scores of the candidates; empty where the decision is of a layout that it cannot read. */
  Optional<float[]> score(Transition transition) {
    Decision decision = transition.getDecision();
    String own = scorer.schema().digest();
    if (!decision.getFeatureDigest().equals(own) && reread.isPresent()) {
      Transition copy = Transition.newBuilder(transition).build();
      decision = reread.get().read(copy).map(Transition::getDecision).orElse(decision);
    }
    if (!decision.getFeatureDigest().equals(own)) {
      return Optional.empty();
    }
    ScoringBatch batch = new ScoringBatch(scorer.schema());
    batch.add(
        Floats.of(decision.getContext()),
        Floats.of(decision.getHistory()),
        Floats.of(decision.getItems()));
    return Optional.of(scorer.score(batch).logits());
  }

  @Override
  public void close() {
    scorer.close();
  }
}
