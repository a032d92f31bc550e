package io.bellwether.serving.decision;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.ingestion.event.Assignment;
import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Degraded;
import io.bellwether.ingestion.event.Exposure;
import io.bellwether.ingestion.event.Placement;
import io.bellwether.ingestion.feature.Floats;
import io.bellwether.ingestion.feature.ItemReference;
import io.bellwether.ingestion.feature.SubjectHistory;
import io.bellwether.serving.Fixtures;
import io.bellwether.serving.LinearPolicy;
import io.bellwether.serving.TestPlatform;
import io.bellwether.serving.deadline.Deadline;
import io.bellwether.serving.deadline.PunctualityFixture;
import io.bellwether.serving.experiment.Arm;
import io.bellwether.serving.experiment.Assigned;
import io.bellwether.serving.experiment.ExperimentsFixture;
import io.bellwether.serving.experiment.Occasion;
import io.bellwether.serving.exposure.Exposures;
import io.bellwether.serving.fallback.FallbackFixture;
import io.bellwether.serving.item.Catalogue;
import io.bellwether.serving.item.CatalogueFixture;
import io.bellwether.serving.log.EventIdsFixture;
import io.bellwether.serving.policy.Versions;
import io.bellwether.serving.policy.VersionsFixture;
import io.bellwether.serving.retrieval.RetrievalFixture;
import io.bellwether.serving.scoring.ScoringQueueFixture;
import io.bellwether.serving.surface.Surfaces;
import io.bellwether.serving.work.WorkersFixture;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DecisionMakerTest {

  private static final Instant NOW = Instant.parse("2026-11-30T12:00:00.123456Z");

  /** A chi-square with three degrees of freedom is larger once in 1000. */
  private static final double MOST_OF_THREE_DEGREES = 16.27;

  private static final long NOW_MICROS = 1_796_040_000_123_456L;

  private final Surfaces surfaces = Fixtures.surfaces();
  private final Versions versions = VersionsFixture.none(surfaces);
  private final DecisionMaker maker =
      new DecisionMaker(
          versions,
          ScoringQueueFixture.on(WorkersFixture.of(1))::score,
          PunctualityFixture.late("v-late"),
          FallbackFixture.chain(surfaces));
  private final Catalogue catalogue = CatalogueFixture.of(surfaces, Map.of());
  private final Situations situations =
      new Situations(catalogue, RetrievalFixture.retrieval(surfaces, catalogue), versions);

  @Test
  void theRecordHoldsWhatWasComputed() {
    Decision decision = decide(request("u"), Recalled.NOTHING);
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
    Decision decision = decide(request, new Recalled(true, Map.of(request.historyKey(), stored)));
    float[] rows = Floats.of(decision.getHistory());
    assertEquals(4 * 6, rows.length);
    assertArrayEquals(new float[18], Arrays.copyOf(rows, 18));
    assertArrayEquals(
        new float[] {1, (float) Math.log1p(1), 2, 1, 0, 30}, Arrays.copyOfRange(rows, 18, 24));
  }

  @Test
  void aRegisteredItemOfTheHistoryHasTheFeaturesThatItHasNow() {
    CatalogueFixture.put(catalogue, "feed/r", "{'features':{'age_hours':5,'fresh':true}}");
    SubjectHistory history =
        new SubjectHistory(
            List.of(
                shown(NOW_MICROS - 2_000_000, "taken-away"), shown(NOW_MICROS - 1_000_000, "r")));
    DecisionRequest request = request("u");
    byte[] stored = history.toBytes(request.surface().layout());
    Decision decision = decide(request, new Recalled(true, Map.of(request.historyKey(), stored)));
    float[] rows = Floats.of(decision.getHistory());
    assertArrayEquals(new float[] {0, 0, 0, 30}, Arrays.copyOfRange(rows, 14, 18));
    assertArrayEquals(new float[] {5, 1, 1, 30}, Arrays.copyOfRange(rows, 20, 24));
  }

  private static SubjectHistory.Entry shown(long micros, String item) {
    return new SubjectHistory.Entry(micros, "d", ItemReference.of(item), new float[] {30});
  }

  @Test
  void aDecisionWithoutItsHistoryIsMarked() {
    Degraded degraded = decide(request("u"), Recalled.UNAVAILABLE).getDegraded();
    assertEquals("FEATURES_UNAVAILABLE", degraded.getReason());
    assertNull(decide(request(null), Recalled.UNAVAILABLE).getDegraded());
  }

  @Test
  void theAnswerIsAFunctionOfTheRecord() {
    Decision decision = decide(request("u"), Recalled.UNAVAILABLE);
    DecisionAnswer answer = DecisionAnswer.of(decision);
    assertEquals(Instant.parse("2026-11-30T12:00:00.123456Z"), answer.decidedAt());
    assertEquals("DEGRADED", answer.status());
    assertEquals(0.01, answer.exploration().minPropensity());
    assertTrue(answer.exploration().explored());
    assertEquals(answer, DecisionAnswer.of(decision));
  }

  @Test
  void aVariantIsScoredByItsOwnVersionAndOtherwiseTheChampionIs() {
    load("v-champion", 1f);
    load("v-treatment", -1f);
    crown("v-champion");
    Decision other = decide(three("d1"), Recalled.NOTHING);
    Decision treated =
        decide(three("d1"), Variants.to(new Arm.Policy("challenger"), "v-treatment"));
    assertEquals("v-champion", other.getPolicyVersion());
    assertNull(other.getAssignment());
    assertArrayEquals(new float[] {1, 2, 3}, Floats.of(other.getLogits()));
    assertEquals("v-treatment", treated.getPolicyVersion());
    assertArrayEquals(new float[] {-1, -2, -3}, Floats.of(treated.getLogits()));
    assertEquals(
        new Assignment("better-feed", 1, "treatment", "u", 7000, 0.5, false),
        treated.getAssignment());
    assertNull(treated.getDegraded());
    assertEquals("ONLINE", treated.getMode());
    assertTrue(treated.getLearnable());
    DecisionAnswer.Experiment said = DecisionAnswer.of(treated).experiment();
    assertEquals(new DecisionAnswer.Experiment("better-feed", 1, "treatment", 0.5), said);
  }

  @Test
  void aVariantThatCannotAnswerIsAnsweredByTheChampionAndStaysInItsVariant() {
    load("v-champion", 1f);
    crown("v-champion");
    VersionsFixture.refuse(versions, surfaces.require("feed"), "v-broken");
    Assigned.ToVariant broken = Variants.to(new Arm.Policy("challenger"), "v-broken");
    Decision decision = decide(three("d1"), broken);
    assertEquals("v-champion", decision.getPolicyVersion());
    assertEquals(new Degraded("MODEL_UNAVAILABLE", "CHAMPION"), decision.getDegraded());
    assertEquals("treatment", decision.getAssignment().getVariant());
    assertTrue(decision.getLearnable());
    Exposure exposure = Exposures.shown(decision, broken, 42, List.of());
    assertEquals("d1/better-feed/treatment", exposure.getExposureId());
    assertEquals("v-champion", exposure.getPolicyVersion());
    assertEquals("MODEL_UNAVAILABLE", exposure.getDegraded());
    assertEquals(42, exposure.getDecisionMicros());
    assertEquals(7 * 24 * 3_600_000_000L, exposure.getPreperiodMicros());
  }

  @Test
  void aVersionThatFailsWhileItAnswersIsStoodInForToo() {
    load("v-champion", 1f);
    load("v-overflowing", 3e38f); // finite for features of 0, on which it is warmed up
    crown("v-champion");
    Decision decision =
        decide(three("d1"), Variants.to(new Arm.Policy("challenger"), "v-overflowing"));
    assertEquals(new Degraded("MODEL_UNAVAILABLE", "CHAMPION"), decision.getDegraded());
    crown("v-overflowing");
    assertEquals(
        new Degraded("MODEL_UNAVAILABLE", "AS_GIVEN"),
        decide(three("d1"), Variants.to(new Arm.Policy("challenger"), "v-overflowing"))
            .getDegraded());
  }

  @Test
  void aVersionThatIsAlwaysLateIsStoodInForAtOnce() {
    load("v-champion", 1f);
    load("v-late", 1f);
    crown("v-champion");
    Decision decision = decide(three("d1"), Variants.to(new Arm.Policy("challenger"), "v-late"));
    assertEquals("v-champion", decision.getPolicyVersion());
    assertEquals(new Degraded("MODEL_UNAVAILABLE", "CHAMPION"), decision.getDegraded());
  }

  @Test
  void withoutAChampionAVariantFallsBackToTheCallersOrderOfWhichNothingIsLearned() {
    Decision decision = decide(three("d1"), Variants.to(new Arm.Policy("challenger"), "v-none"));
    assertEquals(new Degraded("MODEL_UNAVAILABLE", "AS_GIVEN"), decision.getDegraded());
    assertEquals("as-given", decision.getPolicyVersion());
    assertEquals("ONLINE", decision.getMode());
    assertEquals("DETERMINISTIC", decision.getPropensityKind());
    assertFalse(decision.getLearnable());
    assertEquals("a", decision.getSlate().get(0).getItemId());
    assertEquals(1, decision.getSlate().get(0).getPropensity());
  }

  @Test
  void aMissingHistoryIsNotTheVariantsFault() {
    load("v-treatment", 1f);
    Assigned.ToVariant assigned = Variants.to(new Arm.Policy("challenger"), "v-treatment");
    Decision decision = made(three("d1"), Recalled.UNAVAILABLE, assigned).decision();
    assertEquals(new Degraded("FEATURES_UNAVAILABLE", null), decision.getDegraded());
    assertNull(Exposures.shown(decision, assigned, 0, List.of()).getDegraded());
  }

  @Test
  void theCallersOrderIsShownForCertainAndCanBeImitated() {
    load("v-champion", 1f);
    crown("v-champion");
    Decision decision = decide(three("d1"), Variants.to(new Arm.AsGiven(), "as-given"));
    assertEquals("APPRENTICE", decision.getMode());
    assertEquals("as-given", decision.getPolicyVersion());
    assertEquals("DETERMINISTIC", decision.getPropensityKind());
    assertTrue(decision.getLearnable());
    assertEquals(
        List.of("a", "b", "c"), decision.getSlate().stream().map(Placement::getItemId).toList());
    decision.getSlate().forEach(p -> assertEquals(1.0, p.getPropensity()));
    assertFalse(DecisionAnswer.of(decision).exploration().explored());
  }

  @Test
  void theOrderOfRetrievalIsNobodysToImitate() {
    CatalogueFixture.put(catalogue, "feed/a", "{'features':{'age_hours':1}}");
    CatalogueFixture.put(catalogue, "feed/b", "{'features':{'age_hours':2}}");
    Decision decision =
        decide(
            read("{'surface':'feed','decisionId':'d1'}"),
            Variants.to(new Arm.AsGiven(), "as-given"));
    assertEquals(List.of("a", "b"), decision.getCandidateIds());
    assertEquals("all", decision.getRetrieval());
    assertEquals("ONLINE", decision.getMode());
    assertEquals("DETERMINISTIC", decision.getPropensityKind());
    assertFalse(decision.getLearnable());
  }

  @Test
  void theUniformVariantGivesEachOrderTheSameChance() {
    load("v-champion", 9f);
    crown("v-champion");
    Decision decision = decide(three("d1"), Variants.to(new Arm.Uniform(), "uniform"));
    assertEquals("uniform", decision.getPolicyVersion());
    assertEquals(1.0 / 3, decision.getSlate().get(0).getPropensity());
    assertEquals(0.5, decision.getSlate().get(1).getPropensity());
    assertNull(decision.getDegraded());
    assertTrue(decision.getLearnable());
  }

  @Test
  void aDraftTakesTurnsAndIsNotToBeLearnedFrom() {
    load("v-up", 1f);
    load("v-down", -1f);
    DecisionMaker.Made made =
        made(three("d1"), Recalled.NOTHING, Variants.interleaved("v-up", "v-down"));
    Decision decision = made.decision();
    assertEquals("v-up+v-down", decision.getPolicyVersion());
    assertArrayEquals(new float[] {1, 2, 3}, Floats.of(decision.getLogits()));
    assertFalse(decision.getLearnable());
    assertEquals("EXACT", decision.getPropensityKind());
    assertEquals("interleaved", decision.getAssignment().getVariant());
    assertEquals(3, made.teams().size());
    for (int position = 0; position < 2; position++) {
      String best = made.teams().get(position) == 0 ? "c" : "a";
      assertEquals(best, decision.getSlate().get(position).getItemId());
      assertEquals(position == 0 ? 0.5 : 1.0, decision.getSlate().get(position).getPropensity());
    }
    assertEquals(
        made.teams(),
        Exposures.shown(decision, Variants.interleaved("v-up", "v-down"), 0, made.teams())
            .getTeams());
  }

  /** Over seeds, each slate comes as often as the product of its logged propensities says. */
  @Test
  void draftedSlatesComeAsOftenAsTheirPropensitiesSay() {
    load("v-up", 1f);
    load("v-near", -1f, 5f);
    Assigned.ToVariant assigned = Variants.interleaved("v-up", "v-near");
    Map<List<String>, Integer> counts = new TreeMap<>(Comparator.comparing(List::toString));
    Map<List<String>, Double> chances = new HashMap<>();
    int draws = 4_000;
    for (int i = 0; i < draws; i++) {
      Decision decision = made(five("d" + i), Recalled.NOTHING, assigned).decision();
      List<String> slate = decision.getSlate().stream().map(Placement::getItemId).toList();
      double chance = 1;
      for (Placement placement : decision.getSlate()) {
        chance *= placement.getPropensity();
      }
      counts.merge(slate, 1, Integer::sum);
      Double before = chances.put(slate, chance);
      assertTrue(before == null || before == chance, slate + " has two chances");
    }
    double total = chances.values().stream().mapToDouble(Double::doubleValue).sum();
    assertEquals(1, total, 1e-12);
    double square = 0;
    for (Map.Entry<List<String>, Integer> slate : counts.entrySet()) {
      double expected = draws * chances.getOrDefault(slate.getKey(), 0.0);
      square += (slate.getValue() - expected) * (slate.getValue() - expected) / expected;
    }
    // Both rank e first, so whose it was is hidden, and the chance of what follows is a mean.
    assertEquals(4, counts.size(), () -> "slates " + counts);
    double chiSquare = square;
    assertTrue(chiSquare < MOST_OF_THREE_DEGREES, () -> chiSquare + " over " + counts);
  }

  @Test
  void aDraftWithoutOneOfItsRankingsCountsForNeither() {
    load("v-champion", 1f);
    crown("v-champion");
    DecisionMaker.Made made =
        made(three("d1"), Recalled.NOTHING, Variants.interleaved("v-champion", "v-gone"));
    assertEquals(List.of(-1, -1, -1), made.teams());
    assertEquals("v-champion", made.decision().getPolicyVersion());
    assertEquals(new Degraded("MODEL_UNAVAILABLE", "CHAMPION"), made.decision().getDegraded());
    assertTrue(made.decision().getLearnable());
  }

  @Test
  void aDeferredDecisionIsMarkedAndNotLearnedFrom() {
    String body = BODY.formatted("d1").replace("{'surface'", "{'activation':'DEFERRED','surface'");
    Decision decision = decide(read(body), Recalled.NOTHING);
    assertEquals("DEFERRED", decision.getActivation());
    assertFalse(decision.getLearnable());
    assertEquals(
        new DecisionAnswer.Activation("DEFERRED"), DecisionAnswer.of(decision).activation());
  }

  private void load(String version, float... weights) {
    float[] all = Arrays.copyOf(weights, TestPlatform.schema().itemWidth());
    VersionsFixture.add(
        versions, surfaces.require("feed"), version, LinearPolicy.open(TestPlatform.schema(), all));
  }

  private void crown(String version) {
    VersionsFixture.crown(versions, surfaces.require("feed"), version);
  }

  private Decision decide(DecisionRequest request, Recalled recalled) {
    return made(request, recalled, new Assigned.None(Assigned.Reason.NO_EXPERIMENT)).decision();
  }

  private Decision decide(DecisionRequest request, Assigned assigned) {
    return made(request, Recalled.NOTHING, assigned).decision();
  }

  private DecisionMaker.Made made(DecisionRequest request, Recalled recalled, Assigned assigned) {
    Occasion occasion =
        new Occasion(request.subjectId(), request.decisionId(), request.sent(), NOW);
    long now = System.nanoTime();
    Question question =
        Question.of(
            request,
            occasion,
            ExperimentsFixture.none(),
            assigned,
            Deadline.of(now, Duration.ofSeconds(10)),
            new StageClock(now),
            null);
    return maker.decide(situations.of(question, recalled)).toCompletableFuture().join();
  }

  private static final String BODY =
      "{'surface':'feed','decisionId':'%s','subject':{'id':'u'},'candidates':["
          + "{'id':'a','features':{'age_hours':1}},{'id':'b','features':{'age_hours':2}},"
          + "{'id':'c','features':{'age_hours':3}}]}";

  private DecisionRequest three(String id) {
    return read(BODY.formatted(id));
  }

  private DecisionRequest five(String id) {
    return read(
        "{'surface':'feed','decisionId':'"
            + id
            + "','candidates':["
            + "{'id':'a','features':{'age_hours':1}},{'id':'b','features':{'age_hours':2}},"
            + "{'id':'c','features':{'age_hours':3}},{'id':'d','features':{'age_hours':4}},"
            + "{'id':'e','features':{'age_hours':5,'fresh':true}}]}");
  }

  private DecisionRequest request(@Nullable String subject) {
    String body =
        "{'surface':'feed','decisionId':'d'"
            + (subject == null ? "" : ",'subject':{'id':'" + subject + "'}")
            + ",'candidates':[{'id':'a','features':{}},{'id':'b','features':{}}]}";
    return read(body);
  }

  private DecisionRequest read(String body) {
    return new DecisionRequestReader(surfaces, catalogue, EventIdsFixture.ids())
        .read(null, body.replace('\'', '"').getBytes(UTF_8));
  }
}
