package io.bellwether.evaluation.experiment;

import static io.bellwether.evaluation.experiment.Numbers.CLICKS;
import static io.bellwether.evaluation.experiment.Numbers.CONTROL;
import static io.bellwether.evaluation.experiment.Numbers.TREATMENT;
import static io.bellwether.evaluation.experiment.Numbers.clicks;
import static io.bellwether.evaluation.experiment.Numbers.complaints;
import static io.bellwether.evaluation.experiment.Numbers.phase;
import static io.bellwether.evaluation.experiment.Numbers.read;
import static io.bellwether.evaluation.experiment.Numbers.sample;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SummaryTest {
  private static PhaseSample half(long each, double clicks, double complaints) {
    return phase(
        1,
        0.5,
        Duration.ofHours(26),
        sample(CONTROL, each, clicks(1), complaints(0.1)),
        sample(TREATMENT, each, clicks(clicks), complaints(complaints)));
  }

  @Test
  void nothingCountedYet() {
    assertEquals(List.of("Nothing was counted yet."), read(Numbers.plan()).summary());
  }

  @Test
  void aBetterTreatment() {
    assertEquals(
        List.of(
            "clicks is better under b: +10.00 % (95 % sequence from +6.78 % to +13.22 %).",
            "The guardrail is shown to be kept.",
            "Phase 1 has run for 26.0 hours: control has 20,000 units (50 %), b has 20,000 units"
                + " (50 %)."),
        read(Numbers.plan(), half(20_000, 1.1, 0.1)).summary());
  }

  @Test
  void noDifferenceYet() {
    assertEquals(
        List.of(
            "No difference in clicks is shown under b yet: +2.00 % (95 % sequence from -8.74 % to"
                + " +12.74 %).",
            "No guardrail is shown to be broken so far, and 0 of 1 to be kept.",
            "Phase 1 has run for 26.0 hours: control has 2,000 units (50 %), b has 2,000 units (50"
                + " %)."),
        read(Numbers.plan(), half(2_000, 1.02, 0.1)).summary());
  }

  @Test
  void whereNoDifferenceIsShownTheIntervalHoldsZero() {
    for (double factor = 0.5; factor < 1; factor += 0.01) {
      String sentence = read(Numbers.plan(), half(400, factor, 0.1)).summary().get(0);
      if (sentence.startsWith("No difference")) {
        assertTrue(sentence.matches(".* from -[0-9.]+( %)? to [+][0-9.]+( %)?\\)\\."), sentence);
      }
    }
  }

  @Test
  void fewUnits() {
    assertEquals(
        List.of(
            "It is too early to say what b does to clicks: a variant has too few units.",
            "No guardrail is shown to be broken so far, and 0 of 1 to be kept.",
            "Phase 1 has run for 26.0 hours: control has 50 units (50 %), b has 50 units (50 %)."),
        read(Numbers.plan(), half(50, 1.02, 0.1)).summary());
  }

  @Test
  void aBrokenGuardrailComesFirst() {
    assertEquals(
        List.of(
            "complaints breaks its limit \"not above the control\" under b.",
            "clicks is better under b: +10.00 % (95 % sequence from +6.78 % to +13.22 %).",
            "Phase 1 has run for 26.0 hours: control has 20,000 units (50 %), b has 20,000 units"
                + " (50 %)."),
        read(Numbers.plan(), half(20_000, 1.1, 0.2)).summary());
  }

  @Test
  void aMismatchComesFirstAndShowsNoEffect() {
    PhaseSample uneven =
        phase(
            1,
            0.5,
            Duration.ofDays(3),
            sample(CONTROL, 10_000, clicks(1), complaints(0.1)),
            sample(TREATMENT, 9_000, clicks(1), complaints(0.1)));
    assertEquals(
        List.of(
            "The traffic is not split as asked for (sequential p below 0.0001): no effect is shown"
                + " until that is explained.",
            "Phase 1 has run for 3.0 days: control has 10,000 units (50 %), b has 9,000 units (50"
                + " %)."),
        read(Numbers.plan(), uneven).summary());
  }

  @Test
  void aCrossedOperationalLimitComesFirst() {
    AnalysisPlan plan =
        AnalysisPlan.of(CONTROL, CLICKS)
            .withHealth(new HealthLimits(0.02, 50_000, 200, HealthLimits.Shadow.DEFAULT));
    PhaseSample failing =
        phase(
            1,
            0.5,
            Duration.ofHours(1),
            sample(CONTROL, 500, clicks(1)),
            sample(TREATMENT, Numbers.health(500, 60, 80_000), 0, Numbers.moments(500, clicks(1))));
    assertEquals(
        List.of(
            "b crosses an operational limit: the share of decisions that a fallback answered is"
                + " 0.12, limit 0.02.",
            "b crosses an operational limit: the 99 % decision time in microseconds is 80000, limit"
                + " 50000.",
            "No difference in clicks is shown under b yet: +0.00 % (95 % sequence from -29.84 % to"
                + " +29.84 %).",
            "Phase 1 has run for 1.0 hours: control has 500 units (50 %), b has 500 units (50 %)."),
        read(plan, failing).summary());
  }

  @Test
  void anInterleavingRanks() {
    VariantSample interleaved =
        sample(
            "interleaved",
            2_000,
            new Numbers.Total("clicks:credit", 0.04, 0.2),
            new Numbers.Total("clicks:win", 0.27, 0.2),
            new Numbers.Total("clicks:loss", 0.23, 0.2));
    PhaseSample phase =
        PhaseSample.of(
            1,
            Map.of("interleaved", 1.0),
            Map.of(CONTROL, "v1", TREATMENT, "v2"),
            List.of(interleaved),
            Duration.ofDays(7));
    AnalysisPlan plan =
        AnalysisPlan.of(CONTROL, CLICKS).withDesign(AnalysisPlan.Design.INTERLEAVING);
    assertEquals(
        List.of(
            "People prefer b to control by clicks: 540 wins, 460 losses, 1,000 ties, sign test p"
                + " 0.01244.",
            "Phase 1 has run for 7.0 days: interleaved has 2,000 units (100 %)."),
        read(plan, phase).summary());
  }

  @Test
  void aShadowSaysWhatItScored() {
    AnalysisPlan plan = AnalysisPlan.of(CONTROL, CLICKS).withDesign(AnalysisPlan.Design.SHADOW);
    ShadowSample sample =
        new ShadowSample(TREATMENT, Numbers.health(12_000, 6, 900), 0.81 * 11_994, 0);
    assertEquals(
        List.of(
            "b was asked to score 12,000 decisions unseen: 0.05 % failed, agreement 81 %. It keeps"
                + " its limits.",
            "Phase 1 has run for 24.0 hours."),
        read(plan, Numbers.shadows(Duration.ofDays(1), sample)).summary());
  }

  @Test
  void anEffectWithoutALiftIsInTheMetricsUnit() {
    PhaseSample unstable =
        phase(
            1,
            0.5,
            Duration.ofDays(7),
            sample(CONTROL, 5_000, clicks(0.01)),
            sample(TREATMENT, 5_000, clicks(0.2)));
    assertEquals(
        List.of(
            "clicks is better under b: +0.19 (95 % sequence from +0.1283 to +0.2517).",
            "Phase 1 has run for 7.0 days: control has 5,000 units (50 %), b has 5,000 units (50"
                + " %)."),
        read(AnalysisPlan.of(CONTROL, CLICKS), unstable).summary());
  }
}
