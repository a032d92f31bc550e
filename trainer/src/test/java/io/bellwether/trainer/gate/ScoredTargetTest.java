package io.bellwether.trainer.gate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.bellwether.policy.scoring.Exploration;
import io.bellwether.policy.version.PolicyManifest;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import io.bellwether.trainer.data.SyntheticLog;
import io.bellwether.trainer.job.Baseline;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScoredTargetTest {

  @TempDir Path folder;
  private final SyntheticLog log = new SyntheticLog();

  @Test
  void aVersionExploresAsItsManifestSaysAndOtherwiseAsTheSurface() {
    PolicyStore store = new PolicyStore(folder, Clock.systemUTC());
    VersionId declared = new Baseline(Clock.systemUTC(), "test").publish(log.surface(), store).id();
    PolicyManifest m = store.manifest(declared);
    PolicyManifest atRandom =
        new PolicyManifest(
            m.name(),
            m.kind(),
            m.createdBy(),
            m.createdAt(),
            m.surfaceDigest(),
            m.features(),
            m.algorithm(),
            m.seed(),
            m.data(),
            m.codeVersion(),
            m.parent(),
            new Exploration(1, 1, 0.001),
            m.metrics(),
            List.of());
    byte[] graph = store.file(declared, PolicyManifest.GRAPH);
    VersionId random = store.publish(atRandom, Map.of(PolicyManifest.GRAPH, graph)).id();
    double[] chances = chances(store, random);
    for (double chance : chances) {
      assertEquals(1.0 / chances.length, chance, 1e-12);
    }
    assertNotEquals(1.0 / chances.length, chances(store, declared)[0], 1e-6);
  }

  private double[] chances(PolicyStore store, VersionId version) {
    List<EvaluatedDecision> decisions = Decisions.of(log.transitions(0, 1), log.surface());
    try (ScoredTarget target = ScoredTarget.open(store, version, log.surface())) {
      return target.chances(decisions).get(0);
    }
  }
}
