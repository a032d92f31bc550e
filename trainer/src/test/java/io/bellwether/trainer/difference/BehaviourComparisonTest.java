package io.bellwether.trainer.difference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.feature.Floats;
import io.bellwether.policy.scoring.Exploration;
import io.bellwether.policy.scoring.MixedWeights;
import io.bellwether.policy.version.PolicyManifest;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import io.bellwether.trainer.data.ArchiveSource;
import io.bellwether.trainer.data.SurfaceSchema;
import io.bellwether.trainer.data.SyntheticLog;
import io.bellwether.trainer.export.LinearRanking;
import io.bellwether.trainer.job.Baseline;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BehaviourComparisonTest {

  private static final int DECISIONS = 90;

  @TempDir Path folder;
  private final SyntheticLog log = new SyntheticLog();
  private PolicyStore store;
  private VersionId asLogged;
  private VersionId reversed;

  @BeforeEach
  void publish() {
    store = new PolicyStore(folder.resolve("store"), Clock.systemUTC());
    asLogged = new Baseline(Clock.systemUTC(), "test").publish(log.surface(), store).id();
    PolicyManifest manifest = store.manifest(asLogged);
    byte[] graph =
        new LinearRanking(new float[] {-0.5f, 0, 0, 0}, List.of(), 1)
            .export(
                SurfaceSchema.network(log.surface()),
                new TreeMap<>(
                    Map.of("bellwether.feature_schema_sha256", manifest.features().digest())));
    reversed = store.publish(manifest, Map.of(PolicyManifest.GRAPH, graph)).id();
  }

  @Test
  void aVersionBehavesAsItself() throws IOException {
    PolicyDifference difference = compare(asLogged, asLogged, log.transitions(0, DECISIONS));
    assertEquals(DECISIONS, difference.decisions());
    assertEquals(DECISIONS, difference.equalScores());
    assertEquals(0, difference.changedSlates());
    assertEquals(0, difference.firstPosition().largest());
    assertEquals(List.of(), difference.gains());
    assertEquals(2, difference.positions().size());
    assertEquals(0, difference.positions().get(1).propensity().largest());
  }

  @Test
  void howFarChancesMoveIsWhatTheScoresSay() throws IOException {
    List<Transition> transitions = log.transitions(0, DECISIONS);
    PolicyDifference difference = compare(asLogged, reversed, transitions);
    double sum = 0;
    for (Transition transition : transitions) {
      float[] logits = Floats.of(transition.getDecision().getLogits());
      float[] others = new float[logits.length];
      for (int i = 0; i < logits.length; i++) {
        others[i] = -logits[i];
      }
      Exploration exploration = Exploration.asUsed(1, transition.getDecision().getUniform());
      MixedWeights one = MixedWeights.of(logits, exploration);
      MixedWeights other = MixedWeights.of(others, exploration);
      for (int i = 0; i < logits.length; i++) {
        sum += Math.abs(one.weight(i) - other.weight(i)) / 2;
      }
    }
    assertEquals(sum / DECISIONS, difference.firstPosition().mean(), 1e-6);
    assertTrue(difference.changedSlates() > DECISIONS / 4, difference::toString);
    assertTrue(difference.reordered() <= difference.changedSlates());
    assertEquals(
        difference.changedSlates(),
        difference.segments().stream()
            .filter(segment -> segment.feature().equals("candidates"))
            .mapToLong(PolicyDifference.Segment::changedSlates)
            .sum());
    PolicyDifference back = compare(reversed, asLogged, transitions);
    assertEquals(difference.changedSlates(), back.changedSlates());
    assertEquals(difference.firstPosition(), back.firstPosition());
    assertEquals(difference.gains().get(0).item(), back.losses().get(0).item());
  }

  @Test
  void segmentsAreTheContextsValues() throws IOException {
    List<Transition> transitions = log.transitions(0, DECISIONS);
    for (int i = 0; i < DECISIONS; i++) {
      transitions
          .get(i)
          .getDecision()
          .setRawContext(
              "{\"country\": \"%s\", \"mood\": %d}".formatted(i % 3 == 0 ? "de" : "fr", i));
    }
    PolicyDifference difference = compare(asLogged, reversed, transitions);
    List<PolicyDifference.Segment> countries =
        difference.segments().stream().filter(each -> each.feature().equals("country")).toList();
    assertEquals(List.of("de", "fr"), countries.stream().map(each -> each.label()).toList());
    assertEquals(DECISIONS / 3, countries.get(0).decisions());
    PolicyDifference byMood = compare(asLogged, reversed, transitions, "mood");
    assertEquals(
        List.of("1: up to 22", "2: up to 44", "3: up to 67", "4: up to 89"),
        byMood.segments().stream()
            .filter(each -> each.feature().equals("mood"))
            .map(PolicyDifference.Segment::label)
            .toList());
  }

  @Test
  void aSampleDependsNeitherOnOrderNorOnCopies() {
    List<Transition> transitions = log.transitions(0, DECISIONS);
    ReplaySample one = new ReplaySample(20);
    transitions.forEach(one::add);
    Collections.reverse(transitions);
    ReplaySample other = new ReplaySample(20);
    transitions.forEach(other::add);
    transitions.forEach(other::add);
    assertEquals(20, one.transitions().size());
    assertEquals(one.digest(), other.digest());
  }

  @Test
  void decisionsOfAnotherLayoutAreCountedAndNotCompared() throws IOException {
    List<Transition> transitions = log.transitions(0, DECISIONS);
    transitions.get(3).getDecision().setFeatureDigest("0".repeat(64));
    PolicyDifference difference = compare(asLogged, reversed, transitions);
    assertEquals(DECISIONS - 1, difference.decisions());
    assertEquals(
        Map.of("encoded to a layout that " + asLogged + " does not read", 1L),
        difference.skipped());
  }

  private PolicyDifference compare(
      VersionId first, VersionId second, List<Transition> transitions, String... by)
      throws IOException {
    ReplaySample sample = new ReplaySample(1000);
    transitions.forEach(sample::add);
    try (BehaviourComparison comparison =
        BehaviourComparison.of(
            store,
            first,
            second,
            new ArchiveSource(folder.resolve("archive"), log.surface().name()),
            List.of(by))) {
      return comparison.on(sample, log.surface().name());
    }
  }
}
