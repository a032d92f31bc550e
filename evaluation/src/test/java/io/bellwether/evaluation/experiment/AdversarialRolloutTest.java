package io.bellwether.evaluation.experiment;

import static io.bellwether.evaluation.experiment.Numbers.CONTROL;
import static io.bellwether.evaluation.experiment.Numbers.FRESH;
import static io.bellwether.evaluation.experiment.Numbers.TREATMENT;
import static io.bellwether.evaluation.experiment.Numbers.clicks;
import static io.bellwether.evaluation.experiment.Numbers.complaints;
import static io.bellwether.evaluation.experiment.Numbers.sample;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.evaluation.experiment.AnalysisPlan.Design;
import io.bellwether.evaluation.experiment.RolloutStep.OnFail;
import io.bellwether.evaluation.experiment.RolloutStep.OnPass;
import io.bellwether.evaluation.experiment.Verdict.Reason.Code;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/** Whether a rollout can be made to go on without evidence. */
class AdversarialRolloutTest {
  private static final Duration DAY = Duration.ofDays(1);
  private static final RolloutStep HASTY = RolloutStep.of(5_000, Duration.ZERO, 0);
  private static final Situation ONLY = new Situation(List.of(HASTY), 0, false);

  private static Verdict decide(Situation situation, AnalysisPlan plan, PhaseSample... phases) {
    return RolloutRule.decide(situation, Numbers.read(plan, phases), TickMemory.START).verdict();
  }

  private static void assertHolds(Code code, Verdict verdict) {
    assertInstanceOf(Verdict.Hold.class, verdict, verdict.toString());
    assertEquals(code, verdict.reasons().get(0).code(), verdict.toString());
  }

  private static PhaseSample good(int number) {
    return Numbers.phase(
        number,
        0.5,
        DAY,
        sample(CONTROL, 20_000, clicks(1), complaints(0.1)),
        sample(TREATMENT, 20_000, clicks(1.1), complaints(0.1)));
  }

  @Test
  void nothingLimitedCompletesNothing() {
    AnalysisPlan bare = AnalysisPlan.of(CONTROL, Numbers.CLICKS).withPrimary(List.of());
    assertHolds(Code.NOTHING_LIMITED, decide(ONLY, bare, good(1)));
    RolloutStep everybody = RolloutStep.of(10_000, Duration.ZERO, 0);
    Situation first = new Situation(List.of(HASTY, everybody), 0, false);
    assertHolds(Code.NOTHING_LIMITED, decide(first, bare, good(1)));
    Situation hasty = new Situation(List.of(HASTY, HASTY), 0, false);
    assertInstanceOf(Verdict.Advance.class, decide(hasty, bare, good(1)));
  }

  @Test
  void anInterleavingCompletesNothingByItself() {
    PhaseSample interleaved =
        PhaseSample.of(
            1,
            Map.of("interleaved", 1.0),
            Map.of(CONTROL, "v1", TREATMENT, "v2"),
            List.of(sample("interleaved", 2_000, new Numbers.Total("clicks:credit", 0.5, 0.2))),
            DAY);
    AnalysisPlan plan = Numbers.plan().withDesign(Design.INTERLEAVING).withPrimary(List.of());
    assertHolds(Code.NOTHING_LIMITED, decide(ONLY, plan, interleaved));
  }

  @Test
  void aPhaseWithoutATreatmentIsNoStepOfOne() {
    PhaseSample controlOnly =
        PhaseSample.of(
            1,
            Map.of(CONTROL, 1.0, TREATMENT, 0.0),
            Map.of(CONTROL, "v1", TREATMENT, "v2"),
            List.of(sample(CONTROL, 20_000, clicks(1), complaints(0.1))),
            DAY);
    Situation more = new Situation(List.of(HASTY, HASTY), 0, false);
    assertHolds(Code.NO_NUMBERS, decide(more, Numbers.plan(), controlOnly));
    PhaseSample empty = PhaseSample.of(1, Map.of(), Map.of(), List.of(), DAY);
    assertHolds(Code.NO_NUMBERS, decide(more, Numbers.plan(), empty));
  }

  @Test
  void aShadowStepWaitsForEveryTreatmentToBeScored() {
    AnalysisPlan plan = Numbers.plan();
    RolloutStep shadow = RolloutStep.of(0, Duration.ZERO, 0);
    Situation first = new Situation(List.of(shadow, HASTY, HASTY), 0, false);
    PhaseSample one = scored(new ShadowSample(TREATMENT, Numbers.health(500, 0, 900), 400, 0));
    assertInstanceOf(Verdict.Hold.class, decide(first, plan, one));
    assertEquals("c", decide(first, plan, one).reasons().get(0).subject());
    assertHolds(Code.NO_NUMBERS, decide(first, plan, scored()));
    PhaseSample both =
        scored(
            new ShadowSample(TREATMENT, Numbers.health(500, 0, 900), 400, 0),
            new ShadowSample("c", Numbers.health(500, 0, 900), 400, 0));
    Verdict verdict = decide(first, plan, both);
    assertInstanceOf(Verdict.Advance.class, verdict, verdict.toString());
    assertTrue(
        verdict.reasons().stream().anyMatch(each -> each.words().equals("c has 500 decisions.")),
        verdict.toString());
  }

  private static PhaseSample scored(ShadowSample... shadows) {
    return new PhaseSample(
        1,
        new TreeMap<>(Map.of(CONTROL, 1.0)),
        new TreeMap<>(Map.of(CONTROL, "v1", TREATMENT, "v2", "c", "v3")),
        List.of(sample(CONTROL, 500, clicks(1), complaints(0.1))),
        List.of(shadows),
        DAY);
  }

  @Test
  void aLimitOnWhatWasNotMeasuredIsNotKept() {
    AnalysisPlan plan =
        Numbers.plan().withHealth(new HealthLimits(1, 50_000, 200, HealthLimits.Shadow.DEFAULT));
    Health untimed = new Health(20_000, 0, Distribution.empty());
    PhaseSample phase =
        Numbers.phase(
            1,
            0.5,
            DAY,
            sample(CONTROL, 20_000, clicks(1), complaints(0.1)),
            sample(TREATMENT, untimed, 0, Numbers.moments(20_000, clicks(1.1), complaints(0.1))));
    assertHolds(Code.TOO_FEW_EXPOSURES, decide(ONLY, plan, phase));
  }

  @Test
  void numbersFromTheFutureAreRefused() {
    assertThrows(
        IllegalArgumentException.class,
        () ->
            Analysis.read(
                Numbers.plan(), List.of(good(1)), Duration.ofMillis(-1), TickMemory.START));
  }

  /** Nothing but fresh, sufficient and established numbers of a fair split completes a rollout. */
  @Property(tries = 300)
  void onlyEvidenceCompletes(
      @ForAll @LongRange(min = 0, max = 30_000) long control,
      @ForAll @LongRange(min = 0, max = 30_000) long treated,
      @ForAll @IntRange(min = -20, max = 20) int lift,
      @ForAll @IntRange(min = 0, max = 3) int spread,
      @ForAll @IntRange(min = 0, max = 11) int seconds,
      @ForAll @IntRange(min = 0, max = 10) int tenths,
      @ForAll boolean paused,
      @ForAll boolean manual,
      @ForAll boolean sameVersion) {
    Numbers.Total all = new Numbers.Total("clicks", 1, spread);
    Numbers.Total changed = new Numbers.Total("clicks", 1 + lift / 100.0, spread);
    long half = Math.max(control, treated);
    List<PhaseSample> phases = new ArrayList<>();
    phases.add(
        Numbers.phase(
            1,
            0.5,
            DAY,
            sample(CONTROL, half, all, complaints(0.1)),
            sample(TREATMENT, half, changed, complaints(0.1))));
    double share = tenths / 10.0;
    phases.add(
        PhaseSample.of(
            2,
            Map.of(CONTROL, 1 - share, TREATMENT, share),
            Map.of(CONTROL, "v1", TREATMENT, sameVersion ? "v2" : "v3"),
            List.of(
                sample(CONTROL, control, all, complaints(0.1)),
                sample(TREATMENT, treated, changed, complaints(0.1))),
            DAY));
    RolloutStep step =
        new RolloutStep(
            (int) (10_000 * share),
            Duration.ZERO,
            0,
            manual ? OnPass.MANUAL : OnPass.ADVANCE,
            OnFail.ROLLBACK);
    ExperimentReading reading =
        Analysis.read(Numbers.plan(), phases, Duration.ofSeconds(seconds), TickMemory.START);
    Verdict verdict =
        RolloutRule.decide(new Situation(List.of(step), 0, paused), reading, TickMemory.START)
            .verdict();
    boolean established =
        reading.guardrails().stream()
            .filter(row -> row.phase() == 2 || sameVersion)
            .filter(GuardrailReading::established)
            .map(GuardrailReading::metric)
            .collect(Collectors.toSet())
            .containsAll(List.of("clicks", "complaints"));
    boolean may =
        established
            && seconds <= 10
            && !paused
            && !manual
            && share > 0
            && !reading.sampleRatio().alarm()
            && (treated >= Analysis.BURN_IN && (share == 1 || control >= Analysis.BURN_IN));
    assertFalse(verdict instanceof Verdict.Complete && !may, verdict.toString());
    assertFalse(verdict instanceof Verdict.Advance, verdict.toString());
  }

  /** A difference that turns round is not called what it was at first. */
  @Test
  void evidenceForOneDirectionSaysNothingOfTheOther() {
    AnalysisPlan plan = AnalysisPlan.of(CONTROL, Numbers.CLICKS);
    ExperimentReading worse = Numbers.read(plan, half(5_000, 0.8));
    assertEquals(MetricReading.Status.WORSE, worse.allPhases().get(0).status());
    TickMemory memory = TickMemory.START.after(worse);
    ExperimentReading turned = Analysis.read(plan, List.of(half(20_000, 1.001)), FRESH, memory);
    assertEquals(MetricReading.Status.UNDECIDED, turned.allPhases().get(0).status());
    ExperimentReading back = Analysis.read(plan, List.of(half(20_000, 0.999)), FRESH, memory);
    assertEquals(MetricReading.Status.WORSE, back.allPhases().get(0).status());
  }

  @Test
  void aGroupSequentialTestSpendsAtTheLooksThatThereWereAndStopsAtTheFirstCrossing() {
    AnalysisPlan plan =
        AnalysisPlan.of(CONTROL, Numbers.CLICKS)
            .withPlannedUnits(10_000)
            .withLooks(List.of(0.2, 0.4, 0.6, 1.0));
    TickMemory memory = TickMemory.START;
    List<Double> looks = new ArrayList<>();
    for (long each : new long[] {500, 1_200, 1_300, 3_500, 3_600, 4_999, 5_100, 5_200}) {
      ExperimentReading reading = Analysis.read(plan, List.of(half(each, 1)), FRESH, memory);
      memory = memory.after(reading);
      looks = reading.allPhases().get(0).group().information();
    }
    assertEquals(List.of(0.24, 0.7, 1.02), looks);
    ExperimentReading crossed =
        Analysis.read(plan, List.of(half(3_000, 1.5)), FRESH, TickMemory.START);
    assertEquals(MetricReading.Status.BETTER, crossed.allPhases().get(0).status());
    ExperimentReading later =
        Analysis.read(plan, List.of(half(6_000, 0.99)), FRESH, TickMemory.START.after(crossed));
    assertEquals(crossed.allPhases().get(0).group(), later.allPhases().get(0).group());
    assertEquals(MetricReading.Status.BETTER, later.allPhases().get(0).status());
  }

  /** The delta method's error shrinks with the treatment: it found harm twice as often. */
  @Property(tries = 200)
  void aRelativeLimitAtTheControlIsTheAbsoluteOne(
      @ForAll @LongRange(min = 100, max = 3_000) long each,
      @ForAll @IntRange(min = 20, max = 200) int percent,
      @ForAll Direction direction) {
    Metric clicks = Numbers.mean("clicks", direction);
    List<GuardrailReading> rows = new ArrayList<>();
    for (Margin margin : List.of(new Margin.Relative(0), new Margin.Absolute(0))) {
      AnalysisPlan plan =
          AnalysisPlan.of(CONTROL, Numbers.CLICKS)
              .withPrimary(List.of())
              .withGuardrails(List.of(Guardrail.within(clicks, margin)));
      rows.addAll(Numbers.read(plan, half(each, percent / 100.0)).guardrails());
    }
    assertEquals(rows.get(1).harmful(), rows.get(0).harmful(), rows.toString());
    assertEquals(rows.get(1).established(), rows.get(0).established(), rows.toString());
  }

  private static PhaseSample half(long each, double clicks) {
    return Numbers.phase(
        1, 0.5, DAY, sample(CONTROL, each, clicks(1)), sample(TREATMENT, each, clicks(clicks)));
  }

  /** Two of the first day's ten at one percent of the traffic are chance, not a mismatch. */
  @Test
  void aDayWithFewUnitsIsNotCalledUneven() {
    PhaseSample phase =
        Numbers.phase(1, 0.01, Duration.ofDays(7), ofDay(CONTROL, 990, 8), ofDay(TREATMENT, 10, 2));
    assertEquals(
        List.of(),
        Numbers.read(AnalysisPlan.of(CONTROL, Numbers.CLICKS), phase).caveats().stream()
            .map(Caveat::words)
            .toList());
  }

  private static VariantSample ofDay(String variant, long units, long first) {
    Moments few = Numbers.moments(first, clicks(1));
    Moments others = Numbers.moments(units - first, clicks(1));
    return new VariantSample(
        variant,
        few.plus(others),
        Map.of(),
        Numbers.healthy(units),
        0,
        0,
        Map.of("2026-11-01", few, "2026-11-02", others));
  }
}
