package io.bellwether.serving.rollout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.bellwether.evaluation.experiment.Prediction;
import io.bellwether.evaluation.experiment.Verdict;
import io.bellwether.ingestion.event.ExposureKind;
import io.bellwether.ingestion.event.VariantNumbers;
import io.bellwether.policy.version.Alias;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import io.bellwether.serving.Fixtures;
import io.bellwether.serving.LinearPolicy;
import io.bellwether.serving.TestPlatform;
import io.bellwether.serving.experiment.By;
import io.bellwether.serving.experiment.ExperimentState;
import io.bellwether.serving.experiment.Experiments;
import io.bellwether.serving.experiment.ExperimentsFixture;
import io.bellwether.serving.experiment.Move;
import io.bellwether.serving.experiment.MoveKind;
import io.bellwether.serving.experiment.Status;
import io.bellwether.serving.problem.ProblemException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RolloutControllerTest {

  private static final String DECLARATION =
      """
      { "name": "e", "surface": "feed",
        "variants": [{ "name": "control", "policy": "champion" },
                     { "name": "treatment", "policy": "challenger" }],
        "primary": [{ "signal": "watch_seconds", "kind": "PER_DECISION" }],
        "guardrails": [{ "signal": "like", "margin": { "kind": "ABSOLUTE", "value": 0.05 } }],
        "analysis": { "plannedUnits": 4000 },
        "plan": [{ "share": 100, "atLeast": "PT1M" },
                 { "share": 1000, "atLeast": "PT1M" },
                 { "share": 5000, "atLeast": "PT1M", "unitsPerVariant": 1000 },
                 { "share": 10000, "atLeast": "PT1M" }] }
      """;

  private static final String SHADOW_FIRST =
      DECLARATION.replace(
          "\"plan\": [",
          "\"plan\": [{ \"share\": 0, \"atLeast\": \"PT1M\", \"unitsPerVariant\": 300 }, ");

  @TempDir private Path folder;
  private final HandClock clock = new HandClock(Instant.parse("2026-11-30T12:00:00Z"));
  private final NumbersTable table = new NumbersTable();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private PolicyStore policies;
  private VersionId challenger;
  private ExperimentsFixture.Opened opened;
  private Experiments experiments;
  private RolloutController controller;

  @BeforeEach
  void open() {
    policies = new PolicyStore(folder, clock);
    VersionId champion = LinearPolicy.publish(policies, "feed", TestPlatform.schema(), 1f, 0f, 0f);
    LinearPolicy.crown(policies, "feed", champion);
    challenger = LinearPolicy.publish(policies, "feed", TestPlatform.schema(), 2f, 0f, 0f);
    policies.move(
        new io.bellwether.policy.version.MoveRequest(
            "feed", Alias.CHALLENGER, null, challenger, "test", "a test", null));
    opened = ExperimentsFixture.open(folder, Fixtures.surfaces(), policies, clock);
    experiments = opened.experiments();
    controller = controller(experiments);
  }

  @Test
  void aBetterPolicyReachesEverybodyByItself() throws Exception {
    begin(DECLARATION);
    for (int share : List.of(100, 1000, 5000, 10_000)) {
      assertEquals(share, state().phase().orElseThrow().shares().get("treatment"));
      count(share, 110, 0.4);
      controller.tick();
      assertEquals(share, state().phase().orElseThrow().shares().get("treatment"), "too early");
      later(61);
      count(share, 110, 0.4);
      controller.tick();
    }
    assertEquals(Status.SHIPPED, state().status(), verdict().toString());
    assertEquals("treatment", state().winner().orElseThrow());
    assertEquals(challenger, policies.alias("feed", Alias.CHAMPION).orElseThrow());
    assertEquals(
        List.of(
            MoveKind.CREATE,
            MoveKind.START,
            MoveKind.ADVANCE,
            MoveKind.ADVANCE,
            MoveKind.ADVANCE,
            MoveKind.CONCLUDE),
        experiments.history("e").stream().map(Move::kind).toList());
  }

  @Test
  void everyMoveOfTheControllerKeepsWhatItRestedOn() throws Exception {
    begin(DECLARATION);
    later(61);
    count(100, 110, 0.4);
    controller.tick();
    Move move = latest();
    assertEquals(MoveKind.ADVANCE, move.kind(), verdict().toString());
    assertEquals("controller", move.who());
    var evidence = move.evidence().orElseThrow();
    assertEquals("ADVANCE", evidence.at("/gate/verdict").asText());
    assertEquals(200, evidence.at("/units/treatment").asInt());
    assertTrue(evidence.at("/gate/reasons").size() > 0);
  }

  @Test
  void aWorsePolicyIsTakenBackOnTheSecondReading() throws Exception {
    begin(DECLARATION);
    count(100, 60, 0.3);
    controller.tick();
    controller.tick();
    assertEquals(Status.RUNNING, state().status(), "the same numbers are one reading");
    later(2);
    count(100, 60, 0.3, 10);
    controller.tick();
    assertEquals(Status.ROLLED_BACK, state().status(), verdict().toString());
    assertEquals(MoveKind.ROLLBACK, latest().kind());
    assertEquals(
        1, registry.get("bellwether.rollout.moves").tag("kind", "rollback").counter().count());
  }

  @Test
  void aPolicyThatBreaksOnlyAPromiseIsTakenBack() throws Exception {
    begin(DECLARATION);
    rampTo(50);
    count(5000, 110, 0.1);
    controller.tick();
    later(2);
    count(5000, 110, 0.1, 10);
    controller.tick();
    assertEquals(Status.ROLLED_BACK, state().status(), verdict().toString());
    assertTrue(latest().why().contains("like"), latest().why());
  }

  @Test
  void aPolicyThatFailsIsTakenBackAtOnce() throws Exception {
    begin(DECLARATION);
    table.apply(control(20_000).counted(clock.instant()));
    table.apply(treatment(300).degraded(0.5).counted(clock.instant()));
    controller.tick();
    assertEquals(Status.ROLLED_BACK, state().status(), verdict().toString());
  }

  @Test
  void aSlowPolicyIsTakenBackAtOnce() throws Exception {
    begin(DECLARATION);
    table.apply(control(20_000).counted(clock.instant()));
    table.apply(treatment(300).taking(30_000_000).counted(clock.instant()));
    controller.tick();
    assertEquals(Status.ROLLED_BACK, state().status(), verdict().toString());
  }

  @Test
  void aVersionThatScoresWellInTheShadowIsShownNext() throws Exception {
    begin(SHADOW_FIRST);
    assertEquals(Status.SHADOW, state().status());
    later(61);
    table.apply(scored(250, 0));
    controller.tick();
    assertReason(Verdict.Reason.Code.TOO_FEW_UNITS);
    table.apply(scored(400, 0));
    controller.tick();
    assertEquals(Status.RUNNING, state().status(), verdict().toString());
    assertEquals(100, state().phase().orElseThrow().shares().get("treatment"));
  }

  @Test
  void aVersionThatCannotScoreIsNeverShown() throws Exception {
    begin(SHADOW_FIRST);
    table.apply(scored(400, 0.1));
    controller.tick();
    assertEquals(Status.ROLLED_BACK, state().status(), verdict().toString());
  }

  @Test
  void aPausedRolloutTakesNoStepAndIsStillTakenBack() throws Exception {
    begin(DECLARATION);
    experiments.pause("e", By.of("test", "a test"));
    later(61);
    count(100, 110, 0.4);
    controller.tick();
    assertEquals(1, state().phases().size());
    count(100, 60, 0.3, 1);
    controller.tick();
    count(100, 60, 0.3, 2);
    controller.tick();
    assertEquals(Status.ROLLED_BACK, state().status(), verdict().toString());
  }

  @Test
  void aSplitThatChanceDoesNotExplainHolds() throws Exception {
    begin(DECLARATION);
    later(61);
    table.apply(control(5_000).counted(clock.instant()));
    table.apply(treatment(3_000).watching(110).counted(clock.instant()));
    controller.tick();
    assertEquals(1, state().phases().size());
    assertReason(Verdict.Reason.Code.SAMPLE_RATIO_MISMATCH);
  }

  @Test
  void oldNumbersHold() throws Exception {
    begin(DECLARATION);
    later(61);
    count(100, 110, 0.4);
    later(11);
    controller.tick();
    assertEquals(1, state().phases().size());
    assertReason(Verdict.Reason.Code.STALE_NUMBERS);
  }

  @Test
  void numbersOfAnEarlierPhaseMoveNothing() throws Exception {
    begin(DECLARATION);
    later(61);
    count(100, 110, 0.4);
    controller.tick();
    later(61);
    table.apply(new Population("e", 1, "control").grow(19_800).counted(clock.instant()));
    table.apply(
        new Population("e", 1, "treatment").watching(110).grow(200).counted(clock.instant()));
    controller.tick();
    assertEquals(2, state().phases().size());
  }

  @Test
  void nothingMovesBeforeTheNumbersAreRead() throws Exception {
    begin(DECLARATION);
    later(61);
    count(100, 110, 0.4);
    RolloutController reading =
        new RolloutController(
            experiments,
            new Readings(table, state -> List.of(), clock),
            new RolloutMeters(new SimpleMeterRegistry()),
            () -> false,
            () -> true,
            Duration.ofSeconds(1));
    reading.tick();
    assertEquals(1, state().phases().size());
    assertTrue(reading.verdict("e").isPresent(), "what it waits for can be seen");
  }

  @Test
  void whoDoesNotLeadJudgesAndMovesNothing() throws Exception {
    begin(DECLARATION);
    later(61);
    count(100, 110, 0.4);
    RolloutController follower =
        new RolloutController(
            experiments,
            new Readings(table, state -> List.of(), clock),
            new RolloutMeters(new SimpleMeterRegistry()),
            () -> true,
            () -> false,
            Duration.ofSeconds(1));
    follower.tick();
    assertInstanceOf(Verdict.Advance.class, follower.verdict("e").orElseThrow());
    assertEquals(1, state().phases().size());
  }

  @Test
  void twoLeadersMakeAMoveOnce() throws Exception {
    begin(DECLARATION);
    ExperimentsFixture.Opened other =
        ExperimentsFixture.open(folder, Fixtures.surfaces(), policies, clock);
    other.refresh().run();
    RolloutController second = controller(other.experiments());
    later(61);
    count(100, 110, 0.4);
    controller.tick();
    second.tick();
    assertEquals(2, state().phases().size());
    assertEquals(1, count(MoveKind.ADVANCE));
    second.tick();
    assertEquals(1, count(MoveKind.ADVANCE));
  }

  @Test
  void anotherLeaderGoesOnInTheMiddle() throws Exception {
    begin(DECLARATION);
    later(61);
    count(100, 110, 0.4);
    controller.tick();
    ExperimentsFixture.Opened restarted =
        ExperimentsFixture.open(folder, Fixtures.surfaces(), policies, clock);
    restarted.refresh().run();
    later(61);
    count(1000, 110, 0.4);
    controller(restarted.experiments()).tick();
    assertEquals(3, state().phases().size());
    assertEquals(2, count(MoveKind.ADVANCE));
  }

  @Test
  void aNewLeaderHasSeenNoHarmYet() throws Exception {
    begin(DECLARATION);
    count(100, 60, 0.3);
    controller.tick();
    later(2);
    count(100, 60, 0.3, 10);
    RolloutController next = controller(experiments);
    next.tick();
    assertEquals(Status.RUNNING, state().status());
    later(2);
    count(100, 60, 0.3, 20);
    next.tick();
    assertEquals(Status.ROLLED_BACK, state().status());
  }

  @Test
  void itStopsAtItsPlannedEnd() throws Exception {
    begin(DECLARATION.replace("\"analysis\"", "\"endAt\": \"2026-11-30T12:30:00Z\", \"analysis\""));
    count(100, 100, 0.3);
    controller.tick();
    assertEquals(Status.RUNNING, state().status());
    later(1800);
    controller.tick();
    assertEquals(Status.STOPPED, state().status());
  }

  @Test
  void aBanditMovesItsSharesToWhoIsBetter() throws Exception {
    begin(
        """
        { "name": "e", "surface": "feed", "kind": "BANDIT", "floor": 0.05, "every": "PT10M",
          "variants": [{ "name": "control", "policy": "champion" },
                       { "name": "treatment", "policy": "challenger" }] }
        """);
    table.apply(control(2_000).counted(clock.instant()));
    table.apply(treatment(2_000).watching(110).counted(clock.instant()));
    controller.tick();
    assertEquals(1, state().phases().size());
    later(601);
    table.apply(control(2_000).counted(clock.instant()));
    table.apply(treatment(2_000).watching(110).counted(clock.instant()));
    controller.tick();
    assertEquals(Map.of("control", 500, "treatment", 9500), state().phase().orElseThrow().shares());
    assertEquals(MoveKind.REALLOCATE, latest().kind());
  }

  @Test
  void anExperimentThatCannotBeJudgedHoldsNobodyUp() throws Exception {
    String half = "\"analysis\"";
    begin(DECLARATION.replace(half, "\"slice\": { \"from\": 0, \"to\": 5000 }, " + half));
    begin(
        DECLARATION
            .replace("\"e\"", "\"f\"")
            .replace(half, "\"slice\": { \"from\": 5000, \"to\": 10000 }, " + half));
    later(61);
    controller =
        new RolloutController(
            experiments,
            new Readings(table, RolloutControllerTest::promisesButThoseOfE, clock),
            new RolloutMeters(registry),
            () -> true,
            () -> true,
            Duration.ofSeconds(1));
    table.apply(new Population("f", 1, "control").grow(19_800).counted(clock.instant()));
    table.apply(
        new Population("f", 1, "treatment").watching(110).grow(200).counted(clock.instant()));
    controller.tick();
    assertEquals(2, experiments.require("f").phases().size());
    assertEquals(1, experiments.require("e").phases().size());
    assertTrue(registry.get("bellwether.rollout.failures").counter().count() > 0);
  }

  private static List<Prediction> promisesButThoseOfE(ExperimentState state) {
    if (state.name().equals("e")) {
      throw new IllegalStateException("cannot be read");
    }
    return List.of();
  }

  @Test
  void numbersOfTheFutureHold() throws Exception {
    begin(DECLARATION);
    later(61);
    Instant ahead = clock.instant().plusSeconds(3600);
    table.apply(control(19_800).counted(ahead));
    table.apply(treatment(200).watching(110).counted(ahead));
    controller.tick();
    assertEquals(1, state().phases().size());
    assertReason(Verdict.Reason.Code.STALE_NUMBERS);
  }

  @Test
  void aShareBelowAllStepsIsJudgedByTheUnitsThatItHas() throws Exception {
    begin(SHADOW_FIRST);
    rampTo(0.5);
    later(61);
    table.apply(control(20_000).counted(clock.instant()));
    table.apply(treatment(100).watching(110).counted(clock.instant()));
    controller.tick();
    assertReason(Verdict.Reason.Code.TOO_FEW_UNITS);
  }

  @Test
  void aWinnerOfAFrozenPolicyWaitsAndThatIsTold() throws Exception {
    begin(DECLARATION);
    policies.releases().freeze("feed", "ann", "an audit");
    for (int share : List.of(100, 1000, 5000, 10_000)) {
      count(share, 110, 0.4);
      controller.tick();
      later(61);
      count(share, 110, 0.4);
      controller.tick();
    }
    assertInstanceOf(Verdict.Complete.class, verdict(), verdict().toString());
    assertTrue(registry.find("bellwether.rollout.failures").counters().isEmpty(), "may be a race");
    controller.tick();
    assertEquals(
        1, registry.get("bellwether.rollout.failures").tag("kind", "refused").counter().count());
    assertEquals(Status.RUNNING, state().status());
    ProblemException refused =
        assertThrows(
            ProblemException.class,
            () -> experiments.conclude("e", "treatment", By.of("anna", "it is better")));
    assertTrue(refused.problem().detail().contains("feed is frozen"), refused::getMessage);
    policies.releases().unfreeze("feed", "ann", "it is over");
    controller.tick();
    assertEquals(Status.SHIPPED, state().status());
  }

  @Test
  void whatNobodyActsOnHasNoVerdict() throws Exception {
    begin(
        """
        { "name": "e", "surface": "feed", "kind": "HOLDOUT",
          "variants": [{ "name": "control", "policy": "champion", "weight": 200 },
                       { "name": "treatment", "weight": 9800 }] }
        """);
    controller.tick();
    assertTrue(controller.verdict("e").isEmpty());
  }

  @Test
  void aTreatmentIsConcludedOnlyOnYoungNumbersOfTheStateThatWasJudged() throws Exception {
    begin(DECLARATION);
    rampTo(50);
    ExperimentResults results =
        new ExperimentResults(
            experiments,
            new Readings(table, state -> List.of(), clock),
            controller,
            new ExperimentJson(new ObjectMapper()));
    By by = By.of("anna", "it is better");
    later(61);
    count(5000, 110, 0.4);
    By seen = results.concluding(state(), "treatment", Optional.empty(), by);
    assertEquals(state().sequence(), seen.expected().orElseThrow());
    later(11);
    ProblemException refused =
        assertThrows(
            ProblemException.class,
            () -> results.concluding(state(), "treatment", Optional.empty(), by));
    assertTrue(refused.problem().detail().contains("numbers are 11 s old"), refused::getMessage);
    results.concluding(state(), "treatment", Optional.of("Kafka is gone for good"), by);
  }

  private RolloutController controller(Experiments on) {
    return new RolloutController(
        on,
        new Readings(table, state -> List.of(), clock),
        new RolloutMeters(registry),
        () -> true,
        () -> true,
        Duration.ofSeconds(1));
  }

  private void begin(String declaration) throws Exception {
    By by = By.of("test", "a test");
    Move created =
        experiments
            .create(declaration.getBytes(StandardCharsets.UTF_8), by)
            .toCompletableFuture()
            .get();
    experiments.start(created.experiment(), by).toCompletableFuture().get();
  }

  private void rampTo(double percent) throws Exception {
    experiments.ramp("e", percent, By.of("test", "a test")).toCompletableFuture().get();
  }

  /** What is counted in the present phase at this share, as it was asked to be split. */
  private void count(int share, double watch, double like) {
    count(share, watch, like, 0);
  }

  private void count(int share, double watch, double like, int more) {
    int treated =
        more
            + switch (share) {
              case 100 -> 200;
              case 1000 -> 500;
              default -> 3000;
            };
    if (share < 10_000) {
      int controlled = (int) Math.round(treated * (10_000.0 - share) / share);
      table.apply(control(controlled).counted(clock.instant()));
    }
    table.apply(treatment(treated).watching(watch).liking(like).counted(clock.instant()));
  }

  private Population control(int units) {
    return new Population("e", phase(), "control").grow(units);
  }

  private Population treatment(int units) {
    return new Population("e", phase(), "treatment").grow(units);
  }

  /** What a version scored beside live decisions, and the share of these that it could not. */
  private VariantNumbers scored(int decisions, double failed) {
    VariantNumbers numbers = treatment(decisions).degraded(failed).counted(clock.instant());
    numbers.setKind(ExposureKind.SHADOW);
    numbers.setAgreement(0.9 * decisions);
    numbers.setDistance(0.1 * decisions);
    return numbers;
  }

  private int phase() {
    return state().phase().orElseThrow().number();
  }

  private ExperimentState state() {
    return experiments.require("e");
  }

  private Verdict verdict() {
    return controller.verdict("e").orElseThrow();
  }

  private void assertReason(Verdict.Reason.Code code) {
    Verdict verdict = verdict();
    assertInstanceOf(Verdict.Hold.class, verdict);
    assertEquals(code, verdict.reasons().get(0).code(), verdict.toString());
  }

  private Move latest() {
    List<Move> history = experiments.history("e");
    return history.get(history.size() - 1);
  }

  private long count(MoveKind kind) {
    return experiments.history("e").stream().filter(move -> move.kind() == kind).count();
  }

  private void later(long seconds) {
    clock.forward(Duration.ofSeconds(seconds));
  }
}
