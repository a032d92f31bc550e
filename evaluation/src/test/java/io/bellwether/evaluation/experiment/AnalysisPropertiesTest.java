package io.bellwether.evaluation.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.bellwether.evaluation.experiment.AnalysisPlan.Design;
import io.bellwether.evaluation.experiment.AnalysisPlan.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

/** Whatever numbers arrive, there is a reading and a verdict, and they keep their promises. */
class AnalysisPropertiesTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Metric MEAN = Numbers.mean("clicks", Direction.UP);
  private static final Metric CONVERSION =
      new Metric("buyers", new Measure.Conversion("bought", false), Direction.UP);
  private static final Metric RATIO =
      new Metric("rate", new Measure.PerDecision("clicks", false), Direction.DOWN);
  private static final Metric CAPPED =
      new Metric("capped", new Measure.Winsorised("clicks", 0.99), Direction.UP);

  /** Sizes that numbers really have, and some that they should not have. */
  private static final double[] SCALES = {0, 1e-300, 1e-9, 0.01, 1, 1e6, 1e80, 1e160};

  private static VariantSample sample(String variant, long units, int scale, int spread) {
    double clicks = SCALES[scale % SCALES.length];
    double variance = SCALES[spread % SCALES.length];
    return new VariantSample(
        variant,
        Numbers.moments(
            units,
            new Numbers.Total("decisions", 2, scale % 2),
            new Numbers.Total("clicks", spread % 3 == 0 ? -clicks : clicks, variance),
            new Numbers.Total("bought:any", 0.25, 0.1875)),
        Map.of("clicks", Distribution.of(0, 0, 1, clicks)),
        Numbers.health(units, units / 100, 2_000),
        0,
        scale % 3,
        Map.of(
            "2026-11-01",
            Numbers.moments(
                units,
                new Numbers.Total("decisions", 2, 1),
                new Numbers.Total("clicks", clicks, variance),
                new Numbers.Total("bought:any", 0.25, 0.1875))));
  }

  private static AnalysisPlan plan(Design design, Method method) {
    AnalysisPlan plan =
        AnalysisPlan.of(Numbers.CONTROL, MEAN)
            .withDesign(design)
            .withPrimary(List.of(MEAN, CONVERSION))
            .withSecondary(List.of(CAPPED))
            .withGuardrails(List.of(Guardrail.within(RATIO, new Margin.Relative(0.1))))
            .withHealth(new HealthLimits(0.05, 5_000, 200, HealthLimits.Shadow.DEFAULT))
            .withMixtureDeviation(0.1)
            .withPlannedUnits(10_000)
            .withPlannedPhases(2)
            .withPredictions(List.of(new Prediction("clicks", "b", 0, -1, 1)));
    return method == Method.GROUP_SEQUENTIAL
        ? plan.withLooks(List.of(0.5, 1.0))
        : plan.withMethod(method);
  }

  @Property(tries = 300)
  void everythingIsReadAndNothingIsNotANumber(
      @ForAll Design design,
      @ForAll Method method,
      @ForAll @Size(min = 1, max = 3) List<@LongRange(min = 0, max = 60_000) Long> units,
      @ForAll @IntRange(min = 0, max = 23) int scale,
      @ForAll @IntRange(min = 0, max = 23) int spread)
      throws JsonProcessingException {
    List<PhaseSample> phases = new ArrayList<>();
    for (int phase = 0; phase < units.size(); phase++) {
      long count = units.get(phase);
      phases.add(
          Numbers.phase(
              phase + 1,
              0.5,
              Duration.ofDays(3),
              sample(Numbers.CONTROL, count, scale, spread),
              sample(Numbers.TREATMENT, count + phase, spread, scale)));
    }
    ExperimentReading reading =
        Analysis.read(plan(design, method), phases, Numbers.FRESH, TickMemory.START);
    Tick tick =
        RolloutRule.decide(
            new Situation(List.of(RolloutStep.of(5_000, Duration.ZERO, 0)), 0, false),
            reading,
            TickMemory.START);
    for (Object plain : List.of(reading, tick)) {
      String json = JSON.writeValueAsString(plain);
      assertFalse(json.contains("NaN") || json.contains("Infinity"), json);
    }
    assertFalse(reading.summary().isEmpty());
    assertFalse(tick.verdict().reasons().isEmpty());
    for (MetricReading row : reading.allPhases()) {
      boolean concluded =
          row.status() != MetricReading.Status.TOO_EARLY
              && row.status() != MetricReading.Status.WITHHELD;
      assertEquals(concluded, row.reason().isEmpty(), row.toString());
    }
    for (GuardrailReading row : reading.guardrails()) {
      assertTrue(row.reason().isEmpty() || !(row.harmful() && row.established()), row.toString());
    }
  }
}
