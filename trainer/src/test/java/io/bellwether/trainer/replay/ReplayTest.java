package io.bellwether.trainer.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.ingestion.event.Assignment;
import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.feature.Floats;
import io.bellwether.policy.version.PolicyManifest;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import io.bellwether.trainer.data.RuledLog;
import io.bellwether.trainer.data.SurfaceSchema;
import io.bellwether.trainer.data.SyntheticLog;
import io.bellwether.trainer.export.LinearRanking;
import io.bellwether.trainer.job.Baseline;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplayTest {

  private static final int DECISIONS = 100;

  @TempDir Path folder;
  private final SyntheticLog log = new SyntheticLog();
  private PolicyStore store;
  private List<Transition> transitions;

  @BeforeEach
  void logDecisionsOfTheDeclaredRanking() {
    store = new PolicyStore(folder, Clock.systemUTC());
    String version =
        new Baseline(Clock.systemUTC(), "test").publish(log.surface(), store).id().value();
    transitions = log.transitions(0, DECISIONS);
    transitions.forEach(transition -> transition.getDecision().setPolicyVersion(version));
  }

  @Test
  void everyDecisionComesOutAsLogged() {
    transitions.add(transitions.get(3)); // a restated decision is checked once
    ReplayResult result = replay();
    assertEquals(DECISIONS, result.checked());
    assertEquals(DECISIONS, result.equal());
    assertEquals(DECISIONS, result.rescored());
    assertEquals(DECISIONS, result.scoresWithin());
    assertTrue(result.scoresBitEqual() > 0);
    assertTrue(result.agrees());
    assertEquals(List.of(), result.differences());
  }

  @Test
  void decisionsUnderRulesComeOutAsLoggedAndOnlyUnderTheirOwn() {
    RuledLog ruled = new RuledLog();
    try (Replay replay = Replay.with(store)) {
      for (int number = 0; number < DECISIONS; number++) {
        replay.add(ruled.transition(number));
      }
      assertEquals(DECISIONS, replay.result().equal());
    }
    try (Replay replay = Replay.with(store)) {
      Transition altered = ruled.transition(0);
      altered.getDecision().getRules().setPins(List.of());
      replay.add(altered);
      altered = ruled.transition(1);
      altered.getDecision().getRules().getGroupings().get(0).setGroups(List.of(0));
      replay.add(altered);
      assertEquals(2, replay.result().checked());
      assertEquals(0, replay.result().equal());
    }
  }

  @Test
  void anAlteredPropensityOrItemIsFound() {
    Decision altered = transitions.get(5).getDecision();
    double propensity = altered.getSlate().get(1).getPropensity();
    altered.getSlate().get(1).setPropensity(Math.nextUp(propensity));
    transitions.get(6).getDecision().getSlate().get(0).setItemId("another");
    transitions.get(7).getDecision().setSeed(1);
    ReplayResult result = replay();
    assertEquals(DECISIONS, result.checked());
    assertTrue(result.equal() <= DECISIONS - 2, () -> "equal " + result.equal());
    assertFalse(result.agrees());
    assertTrue(
        result.differences().get(0).startsWith("decision-5: position 1 logged propensity"),
        () -> result.differences().toString());
  }

  @Test
  void alteredFeaturesAreFoundByScoringAgain() {
    Decision altered = transitions.get(8).getDecision();
    float[] items = Floats.of(altered.getItems());
    items[0] += 0.1f;
    altered.setItems(Floats.toBytes(items, items.length));
    ReplayResult result = replay();
    assertEquals(DECISIONS, result.equal());
    assertEquals(DECISIONS - 1, result.scoresWithin());
    assertFalse(result.agrees());
  }

  @Test
  void scoresOfTheSmallerFormAreThoseOfItsVersion() {
    VersionId served = new VersionId(transitions.get(0).getDecision().getPolicyVersion());
    byte[] graph = store.file(served, PolicyManifest.GRAPH);
    int items = SurfaceSchema.policy(log.surface()).itemWidth();
    byte[] other =
        new LinearRanking(new float[items], List.of(), 1)
            .export(SurfaceSchema.network(log.surface()), new TreeMap<>());
    PolicyManifest manifest = store.manifest(served);
    String full = publish(manifest, Map.of(PolicyManifest.GRAPH, other));
    String both =
        publish(manifest, Map.of(PolicyManifest.GRAPH, other, PolicyManifest.INT8_GRAPH, graph));
    transitions.forEach(each -> each.getDecision().setPolicyVersion(both));
    assertTrue(replay().agrees());
    transitions.get(9).getDecision().setPolicyVersion(full);
    assertEquals(DECISIONS - 1, replay().scoresWithin());
  }

  private String publish(PolicyManifest manifest, Map<String, byte[]> files) {
    return store.publish(manifest, files).id().value();
  }

  @Test
  void whatCannotBeRecomputedIsSkippedWithItsReason() {
    transitions.get(0).getDecision().setMode("IMPORTED");
    transitions.get(1).getDecision().setPropensityKind("DETERMINISTIC");
    transitions.get(2).getDecision().setPolicyVersion("v000000000000");
    Decision drafted = transitions.get(3).getDecision();
    drafted.setAssignment(new Assignment("ranking", 1, "interleaved", "u", 7, 1.0, false));
    drafted.setLearnable(false);
    Decision fallenBack = transitions.get(4).getDecision();
    fallenBack.setAssignment(new Assignment("ranking", 1, "interleaved", "u", 7, 1.0, false));
    transitions.get(5).getDecision().setMode("FLAG");
    ReplayResult result = replay();
    assertEquals(DECISIONS - 4, result.checked());
    assertEquals(DECISIONS - 5, result.rescored());
    assertEquals(
        Map.of(
            "imported: made elsewhere, without a seed and scores of ours",
            1L,
            "not sampled: its propensity is DETERMINISTIC",
            1L,
            "interleaved: drafted from two rankings, of which one is logged",
            1L,
            "a flag: no slate was ranked",
            1L),
        result.skipped());
    assertTrue(result.agrees());
  }

  private ReplayResult replay() {
    try (Replay replay = Replay.with(store)) {
      transitions.forEach(replay::add);
      return replay.result();
    }
  }
}
