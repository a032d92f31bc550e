package io.bellwether.evaluation.experiment;

import static io.bellwether.evaluation.experiment.Numbers.CLICKS;
import static io.bellwether.evaluation.experiment.Numbers.CONTROL;
import static io.bellwether.evaluation.experiment.Numbers.FRESH;
import static io.bellwether.evaluation.experiment.Numbers.TREATMENT;
import static io.bellwether.evaluation.experiment.Numbers.clicks;
import static io.bellwether.evaluation.experiment.Numbers.complaints;
import static io.bellwether.evaluation.experiment.Numbers.phase;
import static io.bellwether.evaluation.experiment.Numbers.read;
import static io.bellwether.evaluation.experiment.Numbers.sample;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.bellwether.evaluation.Golden;
import io.bellwether.evaluation.experiment.AnalysisPlan.Design;
import io.bellwether.evaluation.experiment.AnalysisPlan.Method;
import io.bellwether.evaluation.experiment.MetricReading.Status;
import io.bellwether.evaluation.interval.AsymptoticSequence;
import io.bellwether.evaluation.report.Bounds;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AnalysisTest {
  private static final Duration WEEK = Duration.ofDays(7);
  private static final AnalysisPlan PLAN = AnalysisPlan.of(CONTROL, CLICKS).withPlannedUnits(5_000);

  private static PhaseSample half(long each, double treated) {
    return phase(
        1, 0.5, WEEK, sample(CONTROL, each, clicks(1)), sample(TREATMENT, each, clicks(treated)));
  }

  private static MetricReading only(ExperimentReading reading) {
    assertEquals(1, reading.allPhases().size());
    return reading.allPhases().get(0);
  }

  private static double value(Figure figure) {
    return figure.number().orElseThrow(() -> new AssertionError(figure.toString()));
  }

  private static void assertUnknown(String reason, Figure figure) {
    assertEquals(new Figure.Unknown(reason), figure);
  }

  /** The specification's worked example. */
  @Test
  void theSequenceIsTheGoldenOne() {
    Metric post = new Metric("post", new Measure.Mean("post", false), Direction.UP);
    VariantSample control = named(CONTROL, Units.golden("ab_units.csv", 0));
    VariantSample treatment = named(TREATMENT, Units.golden("ab_units.csv", 1));
    AnalysisPlan plan = AnalysisPlan.of(CONTROL, post).withPlannedUnits(5_000);
    MetricReading row = only(read(plan, phase(1, 0.5, WEEK, control, treatment)));
    assertEquals(0.326654, value(row.difference()), 1e-6);
    assertEquals(0.600441, value(row.sequenceP()), 1e-6);
    Bounds.Within within = assertInstanceOf(Bounds.Within.class, row.sequence());
    assertEquals(-0.274122, within.interval().lower(), 1e-6);
    assertEquals(0.927429, within.interval().upper(), 1e-6);
    assertEquals(0.937685, value(row.bayes().chanceToWin()), 1e-6);
    assertEquals(0.001217, value(row.bayes().lossOfTreatment()), 1e-6);
  }

  private static VariantSample named(String variant, VariantSample sample) {
    return new VariantSample(
        variant, sample.moments(), sample.distributions(), Health.none(), 0, 0, Map.of());
  }

  @Test
  void theFixedHorizonIsHiddenUntilThePlannedSize() {
    AnalysisPlan plan = PLAN.withMethod(Method.FIXED_HORIZON);
    MetricReading early = only(read(plan, half(2_499, 1.2)));
    assertEquals(Status.TOO_EARLY, early.status());
    assertEquals("BEFORE_PLANNED_SIZE", early.reason());
    assertUnknown("BEFORE_PLANNED_SIZE", early.fixed().p());
    assertUnknown("BEFORE_PLANNED_SIZE", early.adjustedP());
    MetricReading there = only(read(plan, half(2_500, 1.2)));
    assertEquals(Status.BETTER, there.status());
    assertTrue(value(there.fixed().p()) < 1e-6);
  }

  @Test
  void theFixedHorizonIsAlsoReachedByDate() {
    AnalysisPlan plan = PLAN.withMethod(Method.FIXED_HORIZON).withPlannedDuration(WEEK);
    assertEquals(Status.UNDECIDED, only(read(plan, half(500, 1))).status());
  }

  @Test
  void aMixtureTestDecidesByItsOwnP() {
    AnalysisPlan plan = PLAN.withMixtureDeviation(0.05).withMethod(Method.MIXTURE_SEQUENTIAL);
    MetricReading row = only(read(plan, half(5_000, 1.1)));
    assertEquals(Status.BETTER, row.status());
    assertEquals(row.mixture().p(), row.adjustedP());
    assertThrows(IllegalArgumentException.class, () -> PLAN.withMethod(Method.MIXTURE_SEQUENTIAL));
  }

  @Test
  void aGroupSequentialDesignLooksWhereItPlanned() {
    AnalysisPlan plan = PLAN.withLooks(List.of(0.2, 0.4, 0.6, 0.8, 1.0));
    TickMemory memory = TickMemory.START;
    MetricReading before = only(Analysis.read(plan, List.of(half(499, 1.1)), FRESH, memory));
    assertEquals("BEFORE_FIRST_LOOK", before.reason());
    ExperimentReading first = Analysis.read(plan, List.of(half(500, 1.1)), FRESH, memory);
    assertEquals(4.87688, only(first).group().bound(), 1e-4);
    memory = memory.after(first);
    ExperimentReading between = Analysis.read(plan, List.of(half(900, 1.3)), FRESH, memory);
    assertEquals(only(first).group(), only(between).group());
    assertEquals(Status.UNDECIDED, only(between).status());
    ExperimentReading second = Analysis.read(plan, List.of(half(1_000, 1.3)), FRESH, memory);
    assertEquals(3.35701, only(second).group().bound(), 1e-4);
    assertEquals(Status.BETTER, only(second).status());
    memory = memory.after(second);
    ExperimentReading third = Analysis.read(plan, List.of(half(1_500, 1)), FRESH, memory);
    assertTrue(only(third).group().crossed());
  }

  @Test
  void severalPrimaryMetricsAreHolmAdjusted() {
    AnalysisPlan plan =
        PLAN.withPrimary(List.of(CLICKS, Numbers.COMPLAINTS)).withPlannedUnits(4_000);
    ExperimentReading reading =
        read(
            plan,
            phase(
                1,
                0.5,
                WEEK,
                sample(CONTROL, 2_000, clicks(1), complaints(0.1)),
                sample(TREATMENT, 2_000, clicks(1.12), complaints(0.1))));
    MetricReading clicks = reading.allPhases().get(0);
    assertEquals(2 * value(clicks.sequenceP()), value(clicks.adjustedP()), 1e-12);
  }

  @Test
  void aQuestionWithoutAnAnswerYetCountsAmongTheOthers() {
    Metric rare = new Metric("rare", new Measure.Conversion("rare", false), Direction.UP);
    AnalysisPlan plan = PLAN.withPrimary(List.of(CLICKS, rare));
    Numbers.Total few = new Numbers.Total("rare:any", 0.001, 0.000999);
    ExperimentReading reading =
        read(
            plan,
            phase(
                1,
                0.5,
                WEEK,
                sample(CONTROL, 2_000, clicks(1), few),
                sample(TREATMENT, 2_000, clicks(1.12), few)));
    MetricReading clicks = reading.allPhases().get(0);
    assertEquals("TOO_FEW_EVENTS", reading.allPhases().get(1).reason());
    assertEquals(2 * value(clicks.sequenceP()), value(clicks.adjustedP()), 1e-12);
  }

  @Test
  void theSmallestPIsRemembered() {
    ExperimentReading first = read(PLAN, half(2_000, 1.15));
    TickMemory memory = TickMemory.START.after(first);
    ExperimentReading later = Analysis.read(PLAN, List.of(half(2_500, 1.01)), FRESH, memory);
    assertEquals(value(only(first).sequenceP()), value(only(later).sequenceP()));
  }

  @Test
  void phasesShareTheErrorAndAreAveraged() {
    AnalysisPlan plan = PLAN.withPlannedPhases(2);
    // No effect in either phase, but a base rate that moves together with the share.
    PhaseSample first =
        phase(1, 0.1, WEEK, sample(CONTROL, 900, clicks(0.1)), sample(TREATMENT, 100, clicks(0.1)));
    PhaseSample second =
        phase(2, 0.5, WEEK, sample(CONTROL, 500, clicks(0.2)), sample(TREATMENT, 500, clicks(0.2)));
    ExperimentReading reading = read(plan, first, second);
    assertEquals(0, value(only(reading).difference()), 1e-12);
    assertEquals(0.025, reading.phases().get(0).metrics().get(0).alpha());
    Bounds.Within sequence =
        assertInstanceOf(Bounds.Within.class, reading.phases().get(1).metrics().get(0).sequence());
    assertEquals(0.975, sequence.interval().level(), 1e-12);
    double half = new AsymptoticSequence(0.025, 5_000).twoSidedMargin(1_000, Math.sqrt(2.0 / 500));
    assertEquals(half, sequence.interval().upper(), 1e-9);
  }

  @Test
  void phasesBeyondThePlanSpendLessAndLess() {
    AnalysisPlan plan = PLAN.withPlannedPhases(2);
    assertEquals(0.025, plan.alphaOfPhase(2));
    assertEquals(0.0125, plan.alphaOfPhase(3));
    double spent = 0;
    for (int phase = 1; phase < 100_000; phase++) {
      spent += plan.alphaOfPhase(phase);
    }
    assertEquals(0.075, spent, 1e-6);
    assertTrue(plan.alphaOfPhase(Integer.MAX_VALUE) > 0);
  }

  @Test
  void aMismatchWithholdsEveryEffect() {
    AnalysisPlan plan = Numbers.plan();
    ExperimentReading reading =
        read(
            plan,
            phase(
                1,
                0.5,
                WEEK,
                sample(CONTROL, 10_000, clicks(1), complaints(0.1)),
                sample(TREATMENT, 9_000, clicks(2), complaints(0.5))));
    assertTrue(reading.sampleRatio().alarm());
    for (MetricReading row : reading.allPhases()) {
      assertEquals(Status.WITHHELD, row.status());
      assertEquals("SRM", row.reason());
      assertUnknown("SRM", row.treatment());
      assertUnknown("SRM", row.difference());
      assertUnknown("SRM", row.bayes().chanceToWin());
      assertEquals(9_000, row.treatmentUnits());
    }
    for (GuardrailReading row : reading.guardrails()) {
      assertFalse(row.harmful() || row.established());
      assertUnknown("SRM", row.difference());
    }
  }

  /** People who come back repeat the imbalance of the first phase; it must count once. */
  @Test
  void anImbalanceThatReturnsInEveryPhaseIsNotMultiplied() {
    AnalysisPlan plan = PLAN.withPlannedPhases(3);
    PhaseSample[] phases = new PhaseSample[3];
    for (int number = 1; number <= 3; number++) {
      phases[number - 1] =
          phase(
              number,
              0.5,
              WEEK,
              sample(CONTROL, 5_140, clicks(1)),
              sample(TREATMENT, 4_860, clicks(1)));
    }
    assertEquals(
        read(plan, phases[0]).sampleRatio().smallestP(),
        read(plan, phases).sampleRatio().smallestP());
  }

  @Test
  void guardrailsMayBeRelativeOrALevel() {
    AnalysisPlan plan =
        AnalysisPlan.of(CONTROL, CLICKS)
            .withPlannedUnits(40_000)
            .withGuardrails(
                List.of(
                    Guardrail.within(Numbers.COMPLAINTS, new Margin.Relative(0.5)),
                    Guardrail.within(
                        Numbers.mean("calls", Direction.DOWN), new Margin.Level(0.2))));
    Numbers.Total calls = new Numbers.Total("calls", 0.15, 0.2);
    ExperimentReading reading =
        read(
            plan,
            phase(
                1,
                0.5,
                WEEK,
                sample(CONTROL, 20_000, clicks(1), complaints(0.2), calls),
                sample(
                    TREATMENT,
                    20_000,
                    clicks(1),
                    complaints(0.22),
                    new Numbers.Total("calls", 0.3, 0.2))));
    GuardrailReading relative = reading.guardrails().get(1);
    assertEquals("at most 50 % above the control", relative.harmLimit());
    assertEquals(0.4, value(relative.harmDistance()), 1e-12);
    assertTrue(relative.established());
    GuardrailReading level = reading.guardrails().get(2);
    assertEquals("at most 0.2", level.harmLimit());
    assertEquals(-0.1, value(level.harmDistance()), 1e-12);
    assertTrue(level.harmful());
    double alpha = 0.05 / 3;
    assertEquals(
        -0.1
            + new AsymptoticSequence(alpha, 40_000).oneSidedMargin(20_000, Math.sqrt(0.2 / 20_000)),
        value(level.harmBound()),
        1e-9);
  }

  @Test
  void aLevelTakesNoCovariate() {
    Metric adjusted = new Metric("clicks", new Measure.Mean("clicks", true), Direction.UP);
    assertThrows(
        IllegalArgumentException.class, () -> Guardrail.within(adjusted, new Margin.Level(1)));
  }

  @Test
  void aLevelIsWatchedWhenEverybodyHasTheTreatment() {
    AnalysisPlan plan =
        AnalysisPlan.of(CONTROL, CLICKS)
            .withGuardrails(List.of(Guardrail.within(Numbers.COMPLAINTS, new Margin.Level(0.2))));
    PhaseSample everybody =
        PhaseSample.of(
            1,
            Map.of(TREATMENT, 1.0),
            Map.of(TREATMENT, "v2"),
            List.of(sample(TREATMENT, 10_000, clicks(1), complaints(0.3))),
            WEEK);
    ExperimentReading reading = read(plan, everybody);
    assertEquals("NO_CONTROL", reading.guardrails().get(0).reason());
    assertTrue(reading.guardrails().get(1).harmful());
  }

  @Test
  void fewEventsConcludeNothing() {
    Metric converted =
        new Metric("converted", new Measure.Conversion("converted", false), Direction.UP);
    Numbers.Total few = new Numbers.Total("converted:any", 0.001, 0.000999);
    ExperimentReading reading =
        read(
            AnalysisPlan.of(CONTROL, converted),
            phase(1, 0.5, WEEK, sample(CONTROL, 40_000, few), sample(TREATMENT, 40_000, few)));
    assertEquals(Status.TOO_EARLY, only(reading).status());
    assertEquals("TOO_FEW_EVENTS", only(reading).reason());
    assertEquals("TOO_FEW_EVENTS", reading.guardrails().get(0).reason());
  }

  @Test
  void interleavingReadsCredit() {
    Numbers.Total credit = new Numbers.Total("clicks:credit", 0.04, 0.2);
    VariantSample interleaved =
        sample(
            "interleaved",
            2_000,
            credit,
            new Numbers.Total("clicks:win", 0.27, 0.2),
            new Numbers.Total("clicks:loss", 0.23, 0.2));
    PhaseSample phase =
        PhaseSample.of(
            1,
            Map.of("interleaved", 1.0),
            Map.of(CONTROL, "v1", TREATMENT, "v2"),
            List.of(interleaved),
            WEEK);
    ExperimentReading reading = read(PLAN.withDesign(Design.INTERLEAVING), phase);
    PreferenceReading row = reading.preferences().get(0);
    assertEquals(540, row.wins());
    assertEquals(460, row.losses());
    assertEquals(1_000, row.ties());
    assertEquals(0.012444, value(row.signP()), 1e-6);
    assertEquals(0.02, value(row.preference()), 1e-12);
    assertEquals(TREATMENT, row.variant());
    assertEquals(Status.BETTER, row.status());
    assertTrue(reading.allPhases().isEmpty());
    assertFalse(reading.sampleRatio().alarm());
  }

  @Test
  void aSwitchbackComparesBlocks() {
    JsonNode golden = Golden.json("misc_expected.json").get("switchback");
    Map<String, Moments> off = new HashMap<>();
    Map<String, Moments> on = new HashMap<>();
    double[] means = Golden.doubles(golden.get("block_mean"));
    double[] treated = Golden.doubles(golden.get("treated"));
    for (int block = 0; block < means.length; block++) {
      String name = "2026-11-%02d".formatted(block + 1);
      (treated[block] == 1 ? on : off).put(name, Numbers.moments(50, clicks(means[block])));
    }
    PhaseSample phase = phase(1, 0.5, WEEK, blocks(CONTROL, off), blocks(TREATMENT, on));
    ExperimentReading reading = read(PLAN.withDesign(Design.SWITCHBACK), phase);
    SwitchbackReading row = reading.blocks().get(0);
    assertEquals(1.283333, value(row.difference()), 1e-6);
    assertEquals(2.337e-4, value(row.welchP()), 1e-7);
    assertEquals(0.002165, value(row.randomisationP()), 1e-6);
    assertEquals(924, row.designs());
    assertEquals(6, only(reading).controlUnits());
    assertEquals("TOO_FEW_UNITS", only(reading).reason());
  }

  /**
   * The golden blocks as pairs in which a coin says who is first, and a last one without a mate.
   */
  @Test
  void aSwitchbackInPairsIsTestedByItsPairs() {
    JsonNode golden = Golden.json("misc_expected.json").get("switchback");
    Duration length = Duration.ofHours(1);
    Map<String, Moments> off = new HashMap<>();
    Map<String, Moments> on = new HashMap<>();
    double[] means = Golden.doubles(golden.get("block_mean"));
    double[] treated = Golden.doubles(golden.get("treated"));
    Instant start = Instant.parse("2026-11-02T00:00:00Z");
    for (int block = 0; block < means.length; block++) {
      (treated[block] == 1 ? on : off)
          .put(
              start.plus(length.multipliedBy(block)).toString(),
              Numbers.moments(50, clicks(means[block])));
    }
    on.put(
        start.plus(length.multipliedBy(means.length)).toString(), Numbers.moments(50, clicks(99)));
    PhaseSample phase = phase(1, 0.5, WEEK, blocks(CONTROL, off), blocks(TREATMENT, on));
    AnalysisPlan plan = PLAN.withDesign(Design.SWITCHBACK).withBlockLength(length);
    SwitchbackReading row = read(plan, phase).blocks().get(0);
    assertEquals(1.283333, value(row.difference()), 1e-6);
    assertEquals(0.03125, value(row.randomisationP()));
    assertEquals(64, row.designs());
  }

  private static VariantSample blocks(String variant, Map<String, Moments> blocks) {
    Moments all = blocks.values().stream().reduce(Moments.empty(List.of("clicks")), Moments::plus);
    return new VariantSample(variant, all, Map.of(), Numbers.healthy(all.units()), 0, 0, blocks);
  }

  @Test
  void aShadowIsHeldAgainstItsLimits() {
    AnalysisPlan plan =
        PLAN.withDesign(Design.SHADOW)
            .withHealth(
                new HealthLimits(1, 1_000, 1_000, new HealthLimits.Shadow(0.01, 2_000, 0.3, 0.5)));
    ShadowSample sample =
        new ShadowSample(TREATMENT, Numbers.health(1_000, 10, 900), 0.75 * 990, 0.4 * 990);
    ExperimentReading reading = read(plan, Numbers.shadows(WEEK, sample));
    ShadowReading row = reading.shadows().get(0);
    assertEquals(0.01, value(row.errorShare()), 1e-12);
    assertEquals(0.75, value(row.agreement()), 1e-12);
    assertFalse(row.passes());
    assertEquals(
        List.of(LimitReading.Name.SHADOW_DISTANCE),
        reading.limits().stream().filter(LimitReading::crossed).map(LimitReading::name).toList());
  }

  @Test
  void whatTheControlSuffersTooIsNotTheTreatmentsFault() {
    AnalysisPlan plan =
        PLAN.withHealth(new HealthLimits(1, 50_000, 100, HealthLimits.Shadow.DEFAULT));
    assertEquals(List.of(true), slow(plan, 20_000, 60_000), "the treatment alone is slow");
    assertEquals(List.of(false), slow(plan, 80_000, 90_000), "both are");
    assertEquals(List.of(true), slow(plan, 80_000, 200_000), "the treatment is far worse");
  }

  private static List<Boolean> slow(AnalysisPlan plan, long control, long treatment) {
    Moments moments = Numbers.moments(500, clicks(100));
    PhaseSample phase =
        phase(
            1,
            0.5,
            WEEK,
            new VariantSample(
                CONTROL, moments, Map.of(), Numbers.health(500, 0, control), 0, 0, Map.of()),
            new VariantSample(
                TREATMENT, moments, Map.of(), Numbers.health(500, 0, treatment), 0, 0, Map.of()));
    return read(plan, phase).limits().stream().map(LimitReading::crossed).toList();
  }

  @Test
  void aVariantThatNobodyWasCountedOfYetIsNoUnevenSplit() {
    Moments some = Numbers.moments(160, clicks(30));
    PhaseSample first =
        phase(
            1,
            0.5,
            WEEK,
            VariantSample.of(CONTROL, some),
            VariantSample.of(TREATMENT, Moments.empty(some.columns())));
    assertFalse(read(PLAN, first).sampleRatio().alarm());
  }

  @Test
  void theLedgerHoldsPredictionAndOutcomeNextToEachOther() {
    AnalysisPlan plan =
        PLAN.withPredictions(
            List.of(
                new Prediction("clicks", TREATMENT, 0.08, 0.02, 0.14),
                new Prediction("clicks", "c", 0.08, 0.02, 0.14)));
    List<LedgerRow> ledger = read(plan, half(5_000, 1.1)).ledger();
    assertEquals(0.02, value(ledger.get(0).error()), 1e-12);
    assertTrue(ledger.get(0).inside());
    assertUnknown("NOT_MEASURED", ledger.get(1).online());
  }

  @Test
  void aNewThingThatWearsOffIsSaid() {
    Map<String, Moments> control = new HashMap<>();
    Map<String, Moments> treatment = new HashMap<>();
    for (int day = 1; day <= 14; day++) {
      String name = "2026-11-%02d".formatted(day);
      control.put(name, Numbers.moments(500, clicks(1)));
      treatment.put(name, Numbers.moments(500, clicks(day <= 7 ? 1.2 : 1.0)));
    }
    PhaseSample phase =
        phase(1, 0.5, Duration.ofDays(15), blocks(CONTROL, control), blocks(TREATMENT, treatment));
    List<Caveat> caveats = read(PLAN, phase).caveats();
    assertEquals(
        List.of(Caveat.Code.NOT_WHOLE_WEEKS, Caveat.Code.NOVELTY, Caveat.Code.STOPPED_ESTIMATE),
        caveats.stream().map(Caveat::code).toList());
  }

  @Test
  void aDayOnWhichTheSplitIsOffIsNamed() {
    Map<String, Moments> control = new HashMap<>();
    Map<String, Moments> treatment = new HashMap<>();
    for (int day = 1; day <= 7; day++) {
      String name = "2026-11-%02d".formatted(day);
      control.put(name, Numbers.moments(500, clicks(1)));
      treatment.put(name, Numbers.moments(day == 3 ? 350 : 520, clicks(1)));
    }
    PhaseSample phase = phase(1, 0.5, WEEK, blocks(CONTROL, control), blocks(TREATMENT, treatment));
    ExperimentReading reading = read(PLAN, phase);
    assertFalse(reading.sampleRatio().alarm());
    assertEquals(
        List.of(
            "Those who came on 2026-11-03 are not split as asked for (p 0.0001462 after Holm)."),
        reading.caveats().stream().map(Caveat::words).toList());
  }

  @Test
  void unequalCappingIsSaid() {
    Metric spent = new Metric("spent", new Measure.Winsorised("spent", 0.99), Direction.UP);
    double[] small = new double[2_000];
    double[] large = new double[2_000];
    for (int unit = 0; unit < small.length; unit++) {
      small[unit] = unit % 10;
      large[unit] = unit < 40 ? 1_000 + unit : unit % 10;
    }
    PhaseSample phase =
        phase(
            1,
            0.5,
            WEEK,
            named(CONTROL, Units.sample("a", Map.of("spent", small))),
            named(TREATMENT, Units.sample("b", Map.of("spent", large))));
    assertEquals(
        List.of(
            "spent is capped for 2 % of the units under b and 0 % under control: look at the large"
                + " ones."),
        read(AnalysisPlan.of(CONTROL, spent), phase).caveats().stream()
            .map(Caveat::words)
            .toList());
  }

  @Test
  void aVariantThatOnlyOverridesReachIsNotCompared() {
    PhaseSample phase =
        phase(
            1,
            0.5,
            WEEK,
            sample(CONTROL, 500, clicks(1)),
            sample(TREATMENT, 500, clicks(1)),
            sample("c", 0, clicks(0)));
    assertEquals(TREATMENT, only(read(PLAN, phase)).variant());
    assertEquals(3, read(PLAN, phase).phases().get(0).variants().size());
  }

  @Test
  void severalTreatmentsShareTheErrorOfALimit() {
    PhaseSample phase =
        PhaseSample.of(
            1,
            Map.of(CONTROL, 0.4, TREATMENT, 0.3, "c", 0.3),
            Map.of(),
            List.of(
                sample(CONTROL, 400, clicks(1)),
                sample(TREATMENT, 300, clicks(1)),
                sample("c", 300, clicks(1))),
            WEEK);
    assertEquals(
        List.of(0.025, 0.025),
        read(PLAN, phase).guardrails().stream().map(GuardrailReading::alpha).toList());
  }

  @Test
  void aReadingIsPlainDataWithoutNanOrInfinity() throws JsonProcessingException {
    Numbers.Total huge = new Numbers.Total("clicks", 1e200, 1e300);
    List<ExperimentReading> readings =
        List.of(
            read(PLAN),
            read(PLAN, half(0, 1)),
            read(PLAN, half(1, 1)),
            read(PLAN, half(2_000, 0)),
            read(
                PLAN,
                phase(1, 0.5, WEEK, sample(CONTROL, 200, huge), sample(TREATMENT, 200, huge))),
            read(Numbers.plan(), half(200, 1)),
            read(PLAN.withLooks(List.of(0.5, 1.0)).withMixtureDeviation(0.1), half(9_000, 1.1)));
    for (ExperimentReading reading : readings) {
      String json = new ObjectMapper().writeValueAsString(reading);
      assertFalse(json.contains("NaN") || json.contains("Infinity"), json);
      assertFalse(json.contains("\"present\""), json);
      String tick =
          new ObjectMapper()
              .writeValueAsString(
                  RolloutRule.decide(
                      new Situation(List.of(RolloutStep.of(1, WEEK, 1)), 0, false),
                      reading,
                      TickMemory.START));
      assertFalse(tick.contains("NaN") || tick.contains("Infinity"), tick);
    }
  }
}
