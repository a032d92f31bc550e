package io.bellwether.serving.ofrep;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.bellwether.serving.Fixtures;
import io.bellwether.serving.experiment.Assigned.ToVariant;
import io.bellwether.serving.experiment.Assignments;
import io.bellwether.serving.experiment.ExperimentState;
import io.bellwether.serving.experiment.FlagsFixture;
import io.bellwether.serving.log.EventIdsFixture;
import io.bellwether.serving.ofrep.FlagAnswer.Reason;
import io.bellwether.serving.problem.FlagFailure;
import io.bellwether.serving.problem.FlagFailure.ErrorCode;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.surface.Surfaces;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FlagEvaluatorTest {

  private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");
  private static final String PAYLOADS =
      "'surface':'feed','variants':[{'name':'buy','payload':1.0},{'name':'go','payload':2.50}]";
  private static final String FINN = "{'context':{'targetingKey':'u','country':'fi'}}";

  private final Surfaces surfaces = Fixtures.surfaces();
  private final FlagsFixture flags = new FlagsFixture(surfaces);
  private final FlagEvaluator evaluator = new FlagEvaluator(surfaces, EventIdsFixture.ids());
  private final ObjectMapper mapper = new ObjectMapper();

  @Test
  void aSubjectGetsTheVariantOfItsBucket() throws Exception {
    Evaluation evaluation = evaluate(running(""), FINN);
    ToVariant assigned = evaluation.assigned().orElseThrow();
    assertEquals(Reason.SPLIT, evaluation.reason());
    assertEquals(0.5, assigned.share());
    String value = assigned.variant().name().equals("buy") ? "1.0" : "2.5";
    assertEquals(
        "{\"key\":\"cta\",\"reason\":\"SPLIT\",\"variant\":\"%s\",\"value\":%s,\"metadata\":"
                .formatted(assigned.variant().name(), value)
            + "{\"decisionId\":\"%s\",\"experiment\":\"cta\",\"experimentVersion\":%d,"
                .formatted(evaluation.decisionId(), evaluation.flag().state().sequence())
            + "\"policy\":\"feed\",\"policyVersion\":\"%s\",\"propensity\":0.5,\"degraded\":false}}"
                .formatted(assigned.variant().name()),
        mapper.writeValueAsString(evaluation.answer()));
  }

  @Test
  void ofWhatCouldNotBeKeptThereIsNoDecisionToName() {
    FlagAnswer answer = evaluate(running(""), FINN).answerWithoutDecision();
    assertFalse(answer.metadata().containsKey("decisionId"));
    assertTrue(answer.degraded());
  }

  @Test
  void rulesAreNoChance() {
    assertEquals(
        Reason.TARGETING_MATCH, evaluate(running(",'overrides':{'u':'go'}"), FINN).reason());
    String whole = ",'targeting':[{'attribute':'country','in':['fi']}],'plan':[{'share':10000}]";
    assertEquals(Reason.TARGETING_MATCH, evaluate(running(whole), FINN).reason());
    assertEquals(Reason.STATIC, evaluate(running(",'plan':[{'share':10000}]"), FINN).reason());
  }

  @Test
  void whoIsLeftOutGetsTheControlAndIsNotLogged() {
    ExperimentState finns = running(",'targeting':[{'attribute':'country','in':['fi']}]");
    Evaluation swede = evaluate(finns, "{'context':{'targetingKey':'u','country':'se'}}");
    assertControl(swede, Reason.STATIC, false);
    assertControl(
        evaluate(running(""), "{'context':{'targetingKey':'anonymous'}}"), Reason.STATIC, false);
  }

  @Test
  void whatDoesNotRunGivesTheControl() {
    ExperimentState running = running("");
    assertControl(evaluate(flags.stopped(running, NOW), "{}"), Reason.DISABLED, false);
    ExperimentState soon = flags.running("{'name':'cta'," + PAYLOADS + "}", NOW.plusSeconds(1));
    assertControl(evaluate(soon, FINN), Reason.DISABLED, false);
    ExperimentState over = running(",'endAt':'2026-11-30T11:59:00Z'");
    assertControl(evaluate(over, FINN), Reason.DISABLED, false);
    assertControl(evaluate(FlagsFixture.stale(running), "cta", FINN), Reason.DISABLED, true);
  }

  @Test
  void aWinnerIsForEverybody() {
    Evaluation shipped = evaluate(flags.shipped(running(""), "go", NOW), "{}");
    assertEquals(Reason.STATIC, shipped.reason());
    assertEquals("go", shipped.answer().variant());
    assertTrue(shipped.assigned().isEmpty());
  }

  @Test
  void whatWasNeverStartedOrIsArchivedIsNoFlag() {
    assertNotFound(FlagsFixture.fresh(flags.draft("{'name':'cta'," + PAYLOADS + "}")), "cta");
    ExperimentState archived = flags.archived(flags.stopped(running(""), NOW));
    assertNotFound(FlagsFixture.fresh(archived), "cta");
  }

  @ParameterizedTest
  @ValueSource(strings = {"nope", "", "c ta", "cta/", "käsine"})
  void anUnknownKeyIsNotFound(String key) {
    assertNotFound(FlagsFixture.fresh(running("")), key);
  }

  @Test
  void aRunningFlagNeedsASubject() {
    ProblemException refusal =
        assertThrows(ProblemException.class, () -> evaluate(running(""), "{'context':{}}"));
    assertEquals(
        ErrorCode.TARGETING_KEY_MISSING, FlagFailure.ofFlag("cta", refusal.problem()).errorCode());
  }

  private void assertNotFound(Assignments assignments, String key) {
    ProblemException refusal =
        assertThrows(ProblemException.class, () -> evaluate(assignments, key, FINN));
    assertEquals(404, refusal.problem().status());
  }

  private static void assertControl(Evaluation evaluation, Reason reason, boolean degraded) {
    FlagAnswer answer = evaluation.answer();
    assertEquals("buy", answer.variant());
    assertEquals(reason, answer.reason());
    assertEquals(degraded, answer.degraded());
    assertTrue(evaluation.assigned().isEmpty());
    assertFalse(answer.metadata().containsKey("decisionId"));
  }

  private ExperimentState running(String more) {
    return flags.running("{'name':'cta'," + PAYLOADS + more + "}", NOW.minus(Duration.ofDays(1)));
  }

  private Evaluation evaluate(ExperimentState state, String body) {
    return evaluate(FlagsFixture.fresh(state), "cta", body);
  }

  private Evaluation evaluate(Assignments assignments, String key, String body) {
    EvaluationContext context = EvaluationContext.read(body.replace('\'', '"').getBytes(UTF_8));
    return evaluator.evaluate(assignments, key, context, NOW);
  }
}
