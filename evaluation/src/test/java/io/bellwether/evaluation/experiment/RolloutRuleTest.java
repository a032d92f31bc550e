package io.bellwether.evaluation.experiment;

import static io.bellwether.evaluation.experiment.Numbers.CONTROL;
import static io.bellwether.evaluation.experiment.Numbers.FRESH;
import static io.bellwether.evaluation.experiment.Numbers.TREATMENT;
import static io.bellwether.evaluation.experiment.Numbers.clicks;
import static io.bellwether.evaluation.experiment.Numbers.complaints;
import static io.bellwether.evaluation.experiment.Numbers.phase;
import static io.bellwether.evaluation.experiment.Numbers.sample;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.evaluation.experiment.RolloutStep.OnFail;
import io.bellwether.evaluation.experiment.RolloutStep.OnPass;
import io.bellwether.evaluation.experiment.Verdict.Reason.Code;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RolloutRuleTest {
  private static final Duration DAY = Duration.ofDays(1);
  private static final RolloutStep STEP = RolloutStep.of(5_000, DAY, 1_000);
  private static final List<RolloutStep> PLAN =
      List.of(RolloutStep.of(1_000, DAY, 1_000), STEP, RolloutStep.of(10_000, DAY, 1_000));
  private static final Situation FIRST = new Situation(PLAN, 0, false);
  private static final Situation SECOND = new Situation(PLAN, 1, false);
  private static final Situation LAST = new Situation(PLAN, 2, false);
  private static final AnalysisPlan ANALYSIS =
      Numbers.plan().withHealth(new HealthLimits(0.05, 50_000, 200, HealthLimits.Shadow.DEFAULT));

  private static final PhaseSample GOOD = half(20_000, 1.1, 0.1, DAY);
  private static final PhaseSample NEUTRAL = half(2_000, 1.0, 0.1, DAY);
  private static final PhaseSample WORSE = half(20_000, 0.8, 0.1, DAY);
  private static final PhaseSample HARMFUL_GUARDRAIL = half(20_000, 1.1, 0.2, DAY);

  /** Half of the units each; the control's means are 1 click and 0.1 complaints. */
  private static PhaseSample half(long each, double clicks, double complaints, Duration age) {
    return phase(
        1,
        0.5,
        age,
        sample(CONTROL, each, clicks(1), complaints(0.1)),
        sample(TREATMENT, each, clicks(clicks), complaints(complaints)));
  }

  private static Verdict decide(Situation situation, PhaseSample... phases) {
    return decide(situation, FRESH, phases);
  }

  private static Verdict decide(Situation situation, Duration age, PhaseSample... phases) {
    TickMemory memory = TickMemory.START;
    return tick(situation, age, memory, phases).verdict();
  }

  private static Tick tick(
      Situation situation, Duration age, TickMemory memory, PhaseSample... phases) {
    return RolloutRule.decide(
        situation, Analysis.read(ANALYSIS, List.of(phases), age, memory), memory);
  }

  private static Code first(Verdict verdict) {
    return verdict.reasons().get(0).code();
  }

  private static void assertHolds(Code code, Verdict verdict) {
    assertInstanceOf(Verdict.Hold.class, verdict, verdict.toString());
    assertEquals(code, first(verdict), verdict.toString());
  }

  private static Tick twice(Situation situation, PhaseSample phase) {
    Tick once = tick(situation, FRESH, TickMemory.START, phase);
    return tick(situation, FRESH, once.memory(), phase);
  }

  @Test
  void nothingCountedHolds() {
    assertHolds(Code.NO_NUMBERS, decide(FIRST));
  }

  @Test
  void aStepThatShowsNoHarmAdvancesWhenTimeAndUnitsAreThere() {
    Verdict verdict = decide(FIRST, NEUTRAL);
    Verdict.Advance advance = assertInstanceOf(Verdict.Advance.class, verdict, verdict.toString());
    assertEquals(1, advance.toStep());
    assertTrue(
        advance.reasons().stream().anyMatch(reason -> reason.code() == Code.NOT_REFUTED),
        verdict.toString());
  }

  @Test
  void tooShortHolds() {
    assertHolds(Code.TOO_SHORT, decide(FIRST, half(2_000, 1, 0.1, DAY.minusSeconds(1))));
  }

  @Test
  void tooFewUnitsHold() {
    assertHolds(Code.TOO_FEW_UNITS, decide(FIRST, half(999, 1, 0.1, DAY)));
  }

  @Test
  void aStepThatAsksForNoUnitsStillNeedsTheBurnIn() {
    Situation hasty =
        new Situation(List.of(RolloutStep.of(5_000, Duration.ZERO, 0), STEP), 0, false);
    assertHolds(Code.TOO_FEW_UNITS, decide(hasty, half(99, 1, 0.1, DAY)));
  }

  @Test
  void oldNumbersHold() {
    assertHolds(Code.STALE_NUMBERS, decide(FIRST, Duration.ofMillis(10_001), NEUTRAL));
    assertInstanceOf(Verdict.Advance.class, decide(FIRST, Duration.ofSeconds(10), NEUTRAL));
  }

  @Test
  void oldNumbersConfirmNoHarm() {
    Tick once = tick(FIRST, FRESH, TickMemory.START, WORSE);
    Tick old = tick(FIRST, Duration.ofMinutes(1), once.memory(), WORSE);
    assertHolds(Code.STALE_NUMBERS, old.verdict());
    assertInstanceOf(Verdict.RollBack.class, tick(FIRST, FRESH, old.memory(), WORSE).verdict());
  }

  @Test
  void aTrafficSplitThatChanceDoesNotExplainHoldsAndWithholdsHarm() {
    PhaseSample uneven =
        phase(
            1,
            0.5,
            DAY,
            sample(CONTROL, 20_000, clicks(1), complaints(0.1)),
            sample(TREATMENT, 18_000, clicks(0.5), complaints(0.5)));
    assertHolds(Code.SAMPLE_RATIO_MISMATCH, twice(FIRST, uneven).verdict());
    assertHolds(Code.SAMPLE_RATIO_MISMATCH, decide(LAST, uneven));
  }

  @Test
  void anAlarmStaysAfterTheSplitLooksFairAgain() {
    PhaseSample uneven =
        phase(
            1,
            0.5,
            DAY,
            sample(CONTROL, 2_000, clicks(1), complaints(0.1)),
            sample(TREATMENT, 1_500, clicks(1), complaints(0.1)));
    Tick alarm = tick(FIRST, FRESH, TickMemory.START, uneven);
    assertHolds(Code.SAMPLE_RATIO_MISMATCH, tick(FIRST, FRESH, alarm.memory(), NEUTRAL).verdict());
  }

  @Test
  void harmIsTakenBackAtTheSecondTickInARow() {
    Tick once = tick(FIRST, FRESH, TickMemory.START, WORSE);
    assertHolds(Code.HARM_SEEN_ONCE, once.verdict());
    Verdict verdict = tick(FIRST, FRESH, once.memory(), WORSE).verdict();
    assertInstanceOf(Verdict.RollBack.class, verdict, verdict.toString());
    assertEquals(Code.HARM, first(verdict));
    assertEquals("b/clicks", verdict.reasons().get(0).subject());
  }

  @Test
  void harmThatGoesAwayStartsAnew() {
    Tick once = tick(FIRST, FRESH, TickMemory.START, WORSE);
    Tick gone = tick(FIRST, FRESH, once.memory(), NEUTRAL);
    assertHolds(Code.HARM_SEEN_ONCE, tick(FIRST, FRESH, gone.memory(), WORSE).verdict());
  }

  @Test
  void harmOfAnotherPhaseDoesNotCount() {
    Tick once = tick(FIRST, FRESH, TickMemory.START, WORSE);
    PhaseSample later =
        phase(
            2,
            0.5,
            DAY,
            sample(CONTROL, 20_000, clicks(1), complaints(0.1)),
            sample(TREATMENT, 20_000, clicks(0.8), complaints(0.1)));
    assertHolds(Code.HARM_SEEN_ONCE, tick(SECOND, FRESH, once.memory(), WORSE, later).verdict());
  }

  @Test
  void aPolicyThatBreaksOnlyAGuardrailIsTakenBack() {
    Verdict verdict = twice(FIRST, HARMFUL_GUARDRAIL).verdict();
    assertInstanceOf(Verdict.RollBack.class, verdict, verdict.toString());
    assertEquals("b/complaints", verdict.reasons().get(0).subject());
  }

  @Test
  void harmInTheBurnInIsNotLookedAt() {
    assertHolds(Code.TOO_FEW_UNITS, twice(FIRST, half(99, -9, 9, DAY)).verdict());
  }

  @Test
  void aStepThatHoldsOnHarmHolds() {
    RolloutStep holds = new RolloutStep(5_000, DAY, 1_000, OnPass.ADVANCE, OnFail.HOLD);
    assertHolds(Code.HARM, twice(new Situation(List.of(holds, STEP), 0, false), WORSE).verdict());
  }

  @Test
  void aSlowTreatmentIsTakenBackAtOnce() {
    Verdict verdict = decide(FIRST, withHealth(Numbers.health(200, 0, 60_000)));
    assertInstanceOf(Verdict.RollBack.class, verdict, verdict.toString());
    assertEquals("b/DECISION_P99_MICROS", verdict.reasons().get(0).subject());
  }

  @Test
  void aFailingTreatmentIsTakenBackAtOnceWhateverTheStepSays() {
    RolloutStep holds = new RolloutStep(5_000, DAY, 1_000, OnPass.ADVANCE, OnFail.HOLD);
    Situation situation = new Situation(List.of(holds, STEP), 0, false);
    PhaseSample failing = withHealth(Numbers.health(200, 11, 2_000));
    Verdict verdict = decide(situation, failing);
    assertInstanceOf(Verdict.RollBack.class, verdict, verdict.toString());
    assertEquals("b/DEGRADED_SHARE", verdict.reasons().get(0).subject());
    assertInstanceOf(Verdict.RollBack.class, decide(situation, Duration.ofMinutes(5), failing));
  }

  @Test
  void fewExposuresCrossNoLimitAndHold() {
    Verdict verdict = decide(FIRST, withHealth(Numbers.health(199, 199, 60_000)));
    assertHolds(Code.TOO_FEW_EXPOSURES, verdict);
  }

  private static PhaseSample withHealth(Health health) {
    return phase(
        1,
        0.5,
        DAY,
        sample(CONTROL, 2_000, clicks(1), complaints(0.1)),
        sample(TREATMENT, health, 0, Numbers.moments(2_000, clicks(1), complaints(0.1))));
  }

  @Test
  void crossoversAboveOnePerMilleHold() {
    assertHolds(Code.CROSSOVERS, decide(FIRST, withCrossovers(5)));
    assertInstanceOf(Verdict.Advance.class, decide(FIRST, withCrossovers(4)));
  }

  private static PhaseSample withCrossovers(long crossovers) {
    return phase(
        1,
        0.5,
        DAY,
        sample(CONTROL, 2_000, clicks(1), complaints(0.1)),
        sample(
            TREATMENT,
            Numbers.healthy(2_000),
            crossovers,
            Numbers.moments(2_000, clicks(1), complaints(0.1))));
  }

  @Test
  void aGuardrailWithoutABoundHolds() {
    PhaseSample never =
        phase(
            1,
            0.5,
            DAY,
            sample(CONTROL, 2_000, clicks(1), new Numbers.Total("complaints", 0, 0)),
            sample(TREATMENT, 2_000, clicks(1), new Numbers.Total("complaints", 0, 0)));
    assertHolds(Code.NO_BOUND, decide(FIRST, never));
  }

  @Test
  void aGuardrailBeyondWhatIsToleratedHoldsEvenWhereHarmBeginsLater() {
    AnalysisPlan lenient =
        ANALYSIS.withGuardrails(
            List.of(
                new Guardrail(
                    Numbers.COMPLAINTS, new Margin.Absolute(0.5), new Margin.Absolute(0.02))));
    ExperimentReading reading = Numbers.read(lenient, HARMFUL_GUARDRAIL);
    assertHolds(Code.REFUTED, RolloutRule.decide(FIRST, reading, TickMemory.START).verdict());
  }

  @Test
  void noStepToEverybodyBeforeEveryLimitIsShownToBeKept() {
    assertHolds(Code.NOT_ESTABLISHED, decide(SECOND, NEUTRAL));
    Verdict verdict = decide(SECOND, GOOD);
    Verdict.Advance advance = assertInstanceOf(Verdict.Advance.class, verdict, verdict.toString());
    assertEquals(2, advance.toStep());
  }

  @Test
  void theLastStepCompletesOnTheEvidenceOfThePhaseThatHadAControl() {
    Verdict verdict = decide(LAST, GOOD, everybody("v2"));
    assertInstanceOf(Verdict.Complete.class, verdict, verdict.toString());
    assertTrue(
        verdict.reasons().stream().anyMatch(reason -> reason.code() == Code.ESTABLISHED),
        verdict.toString());
    assertHolds(Code.NOT_ESTABLISHED, decide(LAST, NEUTRAL, everybody("v2")));
  }

  @Test
  void evidenceOfAnotherVersionCompletesNothing() {
    assertHolds(Code.NOT_ESTABLISHED, decide(LAST, GOOD, everybody("v3")));
  }

  private static PhaseSample everybody(String version) {
    return PhaseSample.of(
        2,
        Map.of(TREATMENT, 1.0),
        Map.of(CONTROL, "v1", TREATMENT, version),
        List.of(sample(TREATMENT, 2_000, clicks(1.1), complaints(0.1))),
        DAY);
  }

  @Test
  void aPlanThatEndsWithAControlCompletesWhereEverythingIsEstablished() {
    Situation ends = new Situation(List.of(STEP), 0, false);
    assertInstanceOf(Verdict.Complete.class, decide(ends, GOOD));
    assertHolds(Code.NOT_ESTABLISHED, decide(ends, NEUTRAL));
  }

  @Test
  void aManualStepWaitsForAPerson() {
    RolloutStep manual = new RolloutStep(5_000, DAY, 1_000, OnPass.MANUAL, OnFail.ROLLBACK);
    Situation situation = new Situation(List.of(manual, STEP), 0, false);
    assertHolds(Code.WAITS_FOR_A_PERSON, decide(situation, NEUTRAL));
    assertInstanceOf(Verdict.RollBack.class, twice(situation, WORSE).verdict());
  }

  @Test
  void aPauseStopsTheWayForwardAndNotTheWayBack() {
    Situation paused = new Situation(PLAN, 0, true);
    assertHolds(Code.PAUSED, decide(paused, NEUTRAL));
    assertInstanceOf(Verdict.RollBack.class, twice(paused, WORSE).verdict());
    assertInstanceOf(
        Verdict.RollBack.class, decide(paused, withHealth(Numbers.health(200, 50, 2_000))));
  }

  @Test
  void aShadowStepGoesOnWhenEnoughWasScoredWithinItsLimits() {
    Situation shadow = new Situation(List.of(RolloutStep.of(0, DAY, 1_000), STEP, STEP), 0, false);
    AnalysisPlan plan = ANALYSIS.withDesign(AnalysisPlan.Design.SHADOW);
    assertHolds(Code.TOO_FEW_UNITS, decide(plan, shadow, 999, 0));
    assertInstanceOf(Verdict.Advance.class, decide(plan, shadow, 1_000, 1));
    assertInstanceOf(Verdict.RollBack.class, decide(plan, shadow, 1_000, 2));
  }

  private static Verdict decide(AnalysisPlan plan, Situation situation, long scored, long failed) {
    ShadowSample sample =
        new ShadowSample(TREATMENT, Numbers.health(scored, failed, 900), 0.8 * scored, 0);
    ExperimentReading reading = Numbers.read(plan, Numbers.shadows(DAY, sample));
    return RolloutRule.decide(situation, reading, TickMemory.START).verdict();
  }

  @Test
  void verdictsSayWhyInWords() {
    assertEquals(
        List.of("control has 999 of at least 1000 units.", "b has 999 of at least 1000 units."),
        decide(FIRST, half(999, 1, 0.1, DAY)).reasons().stream()
            .map(Verdict.Reason::words)
            .toList());
    assertEquals(
        "b: the share of decisions that a fallback answered is 0.06, limit 0.05, over 200"
            + " decisions; the control's is 0.",
        decide(FIRST, withHealth(Numbers.health(200, 12, 2_000))).reasons().get(0).words());
  }
}
