package io.bellwether.serving.decision;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Degraded;
import io.bellwether.ingestion.feature.Floats;
import io.bellwether.ingestion.feature.SubjectHistory;
import io.bellwether.serving.Fixtures;
import io.bellwether.serving.item.CatalogueFixture;
import io.bellwether.serving.log.EventIdsFixture;
import io.bellwether.serving.policy.ChampionsFixture;
import io.bellwether.serving.surface.Surfaces;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DecisionMakerTest {

  private static final Instant NOW = Instant.parse("2026-11-30T12:00:00.123456789Z");
  private static final long NOW_MICROS = 1_796_040_000_123_456L;

  private final Surfaces surfaces = Fixtures.surfaces();
  private final DecisionMaker maker =
      new DecisionMaker(ChampionsFixture.none(surfaces), Clock.fixed(NOW, ZoneOffset.UTC));

  @Test
  void theRecordHoldsWhatWasComputed() {
    Decision decision = maker.decide(request("u"), Recalled.NOTHING);
    assertEquals(NOW_MICROS, decision.getDecidedAtMicros());
    assertEquals(NOW_MICROS + 24 * 3_600_000_000L, decision.getOutcomesUntilMicros());
    assertEquals(surfaces.require("feed").layout().digest(), decision.getFeatureDigest());
    assertEquals(List.of("a", "b"), decision.getCandidateIds());
    assertEquals(0.5, decision.getSlate().get(0).getPropensity());
    assertEquals(1.0, decision.getSlate().get(1).getPropensity());
    assertEquals("uniform", decision.getPolicyVersion());
    assertEquals(0.02, decision.getUniform());
    assertNull(decision.getDegraded());
  }

  @Test
  void theSubjectsHistoryIsEncodedNewestLast() {
    SubjectHistory history =
        new SubjectHistory(
            List.of(
                new SubjectHistory.Entry(
                    NOW_MICROS - 1_000_000, "d", new float[] {2, 1, 0}, new float[] {30})));
    DecisionRequest request = request("u");
    byte[] stored = history.toBytes(request.surface().layout());
    Decision decision =
        maker.decide(request, new Recalled(true, Map.of(request.historyKey(), stored)));
    float[] rows = Floats.of(decision.getHistory());
    assertEquals(4 * 6, rows.length);
    assertArrayEquals(new float[18], Arrays.copyOf(rows, 18));
    assertArrayEquals(
        new float[] {1, (float) Math.log1p(1), 2, 1, 0, 30}, Arrays.copyOfRange(rows, 18, 24));
  }

  @Test
  void aDecisionWithoutItsHistoryIsMarked() {
    Degraded degraded = maker.decide(request("u"), Recalled.UNAVAILABLE).getDegraded();
    assertEquals("FEATURES_UNAVAILABLE", degraded.getReason());
    assertNull(maker.decide(request(null), Recalled.UNAVAILABLE).getDegraded());
  }

  @Test
  void theAnswerIsAFunctionOfTheRecord() {
    Decision decision = maker.decide(request("u"), Recalled.UNAVAILABLE);
    DecisionAnswer answer = DecisionAnswer.of(decision);
    assertEquals(Instant.parse("2026-11-30T12:00:00.123456Z"), answer.decidedAt());
    assertEquals("DEGRADED", answer.status());
    assertEquals(0.01, answer.exploration().minPropensity());
    assertTrue(answer.exploration().explored());
    assertEquals(answer, DecisionAnswer.of(decision));
  }

  private DecisionRequest request(@Nullable String subject) {
    String body =
        "{'surface':'feed','decisionId':'d'"
            + (subject == null ? "" : ",'subject':{'id':'" + subject + "'}")
            + ",'candidates':[{'id':'a','features':{}},{'id':'b','features':{}}]}";
    return new DecisionRequestReader(
            surfaces, CatalogueFixture.of(surfaces, Map.of()), EventIdsFixture.ids())
        .read(null, body.replace('\'', '"').getBytes(UTF_8));
  }
}
