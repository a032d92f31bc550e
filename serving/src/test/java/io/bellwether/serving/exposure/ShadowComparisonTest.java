package io.bellwether.serving.exposure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Pin;
import io.bellwether.ingestion.event.Placement;
import io.bellwether.ingestion.event.RuleTrace;
import io.bellwether.ingestion.feature.Floats;
import io.bellwether.policy.schema.FeatureSchema;
import io.bellwether.serving.Fixtures;
import io.bellwether.serving.LinearPolicy;
import io.bellwether.serving.TestPlatform;
import io.bellwether.serving.policy.Versions;
import io.bellwether.serving.policy.VersionsFixture;
import io.bellwether.serving.surface.DeclaredSurface;
import io.bellwether.serving.surface.Surfaces;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShadowComparisonTest {

  private static final FeatureSchema SCHEMA = TestPlatform.schema();

  private final Surfaces surfaces = Fixtures.surfaces();
  private final DeclaredSurface feed = surfaces.require("feed");
  private final Versions versions = VersionsFixture.none(surfaces);
  private final ShadowComparison comparison = new ShadowComparison(versions);

  @Test
  void theSameScoresAgreeAndAreNoDistanceApart() {
    load("same", 1f);
    ShadowScore score = comparison.score(feed, sampled(0), "same");
    assertNull(score.degraded());
    assertEquals(0, score.distance(), 1e-12);
    assertTrue(score.micros() >= 0);
  }

  @Test
  void distanceIsHalfTheSumOfDifferencesBetweenTheChancesToComeFirst() {
    load("opposite", -20f);
    // Logits 0, 20 without exploration against 0, -20 with 2 % of it, which gives each 1 % at
    // least.
    ShadowScore score = comparison.score(feed, certain(20), "opposite");
    assertEquals(0.99, score.distance(), 1e-6);
  }

  @Test
  void againstACertainOrderDistanceIsTheChanceOfAnother() {
    Decision given = sampled(0);
    given.setPropensityKind("DETERMINISTIC");
    assertEquals(0.5, comparison.score(feed, given, "uniform").distance(), 1e-12);
    assertEquals(0, comparison.score(feed, given, "as-given").distance());
    assertEquals(1, comparison.score(feed, given, "as-given").agreement());
    assertEquals(0.5, comparison.score(feed, sampled(0), "as-given").distance(), 1e-12);
  }

  @Test
  void aShadowIsBoundByTheRulesThatBoundTheDecision() {
    load("opposite", -20f);
    Decision pinned = certain(20);
    pinned.setRules(new RuleTrace(List.of(new Pin(0, 1)), List.of(), List.of(), List.of()));
    pinned.setSlate(List.of(new Placement(1, "b", 1.0), new Placement(0, "a", 1.0)));
    for (String version : List.of("opposite", "uniform", "as-given")) {
      ShadowScore score = comparison.score(feed, pinned, version);
      assertEquals(0, score.distance(), version);
      assertEquals(1, score.agreement(), version);
    }
  }

  @Test
  void whatCannotBeScoredSaysSo() {
    load("overflowing", 3e38f);
    assertEquals("MODEL_UNAVAILABLE", comparison.score(feed, sampled(0), "not-there").degraded());
    assertEquals("MODEL_UNAVAILABLE", comparison.score(feed, sampled(0), "overflowing").degraded());
  }

  private void load(String version, float weight) {
    float[] weights = new float[SCHEMA.itemWidth()];
    weights[0] = weight;
    VersionsFixture.add(versions, feed, version, LinearPolicy.open(SCHEMA, weights));
  }

  /** Two candidates in their order, drawn with even chances; their first features are 2 and 2. */
  private static Decision sampled(float second) {
    Decision decision = decision(2, 2);
    decision.setLogits(Floats.toBytes(new float[] {0, second}, 2));
    decision.setUniform(0.02);
    return decision;
  }

  /** Two candidates with first features 0 and 1, drawn by logits without exploration. */
  private static Decision certain(float second) {
    Decision decision = decision(0, 1);
    decision.setLogits(Floats.toBytes(new float[] {0, second}, 2));
    decision.setUniform(0);
    return decision;
  }

  private static Decision decision(float first, float second) {
    float[] items = new float[2 * SCHEMA.itemWidth()];
    items[0] = first;
    items[SCHEMA.itemWidth()] = second;
    Decision decision = new Decision();
    decision.setDecisionId("d");
    decision.setSeed(7);
    decision.setCandidateIds(List.of("a", "b"));
    decision.setContext(Floats.toBytes(new float[SCHEMA.contextWidth()], SCHEMA.contextWidth()));
    decision.setHistory(Floats.toBytes(new float[SCHEMA.historySize()], SCHEMA.historySize()));
    decision.setItems(Floats.toBytes(items, items.length));
    decision.setSlate(List.of(new Placement(0, "a", 0.5), new Placement(1, "b", 1.0)));
    decision.setTemperature(1);
    decision.setPropensityKind("EXACT");
    return decision;
  }
}
