package io.bellwether.evaluation.experiment;

import static io.bellwether.evaluation.experiment.Numbers.CONTROL;
import static io.bellwether.evaluation.experiment.Numbers.FRESH;
import static io.bellwether.evaluation.experiment.Numbers.TREATMENT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * One percent of the traffic and a signal that one unit in a hundred has. The control soon has
 * hundreds of events while the treatment has none and so no variance either: without a burn-in that
 * counts what the treatment should have had, 29 of 100 rollouts without harm showed harm, and 15 of
 * 100 that doubled complaints were shown to be within their limit.
 */
class RareEventsTest {
  private static final int EXPERIMENTS = 60;
  private static final int LOOKS = 60;
  private static final int TREATED = 100;
  private static final double RATE = 0.01;
  private static final double ALPHA = 0.05;
  private static final List<String> COLUMNS = List.of("bought", "bought:any");

  private static AnalysisPlan plan(Measure measure, Direction direction, double tolerated) {
    Guardrail limit =
        new Guardrail(
            new Metric("bought", measure, direction),
            new Margin.Absolute(0),
            new Margin.Absolute(tolerated));
    return AnalysisPlan.of(CONTROL, Numbers.CLICKS)
        .withPrimary(List.of())
        .withGuardrails(List.of(limit))
        .withPlannedUnits(200_000);
  }

  /** Zeros and ones. */
  private static VariantSample sample(String variant, long units, long events) {
    double[] sums = {events, events};
    double[] products = {events, events, events};
    return VariantSample.of(variant, new Moments(COLUMNS, units, sums, products));
  }

  private static PhaseSample phase(VariantSample control, VariantSample treatment) {
    return Numbers.phase(1, 0.01, Duration.ofDays(1), control, treatment);
  }

  private static long poisson(Random random, double mean) {
    double left = Math.exp(-mean);
    long events = -1;
    for (double product = 1; product > left; product *= random.nextDouble()) {
      events++;
    }
    return events;
  }

  private static int wrong(Measure measure, Direction direction, double tolerated, double rate) {
    AnalysisPlan plan = plan(measure, direction, tolerated);
    Random random = new Random(52);
    int wrong = 0;
    for (int experiment = 0; experiment < EXPERIMENTS; experiment++) {
      long events = 0;
      long others = 0;
      boolean concluded = false;
      for (int look = 1; look <= LOOKS && !concluded; look++) {
        events += poisson(random, rate * TREATED);
        others += poisson(random, 99 * RATE * TREATED);
        PhaseSample phase =
            phase(
                sample(CONTROL, 99L * look * TREATED, others),
                sample(TREATMENT, (long) look * TREATED, events));
        GuardrailReading row =
            Analysis.read(plan, List.of(phase), FRESH, TickMemory.START).guardrails().get(0);
        concluded = tolerated == 0 ? row.harmful() : row.established();
      }
      wrong += concluded ? 1 : 0;
    }
    return wrong;
  }

  @Test
  void noHarmIsSeenInATreatmentThatHadNoTimeForAnEvent() {
    for (Measure measure :
        List.of(new Measure.Conversion("bought", false), new Measure.Mean("bought", false))) {
      int wrong = wrong(measure, Direction.UP, 0, RATE);
      assertTrue(wrong <= ALPHA * EXPERIMENTS, wrong + " of " + EXPERIMENTS + ": " + measure);
    }
  }

  @Test
  void noLimitIsEstablishedByATreatmentThatHadNoTimeForAnEvent() {
    int wrong = wrong(new Measure.Mean("bought", false), Direction.DOWN, RATE, 2 * RATE);
    assertTrue(wrong <= ALPHA * EXPERIMENTS, wrong + " of " + EXPERIMENTS);
  }

  @Test
  void theBurnInCountsWhatTheSmallerVariantShouldHaveHad() {
    AnalysisPlan plan = plan(new Measure.Conversion("bought", false), Direction.UP, 0);
    assertEquals(
        "TOO_FEW_EVENTS",
        Numbers.read(plan, phase(sample(CONTROL, 485_000, 4_850), sample(TREATMENT, 4_900, 0)))
            .guardrails()
            .get(0)
            .reason());
    assertTrue(
        Numbers.read(plan, phase(sample(CONTROL, 505_000, 5_150), sample(TREATMENT, 5_100, 0)))
            .guardrails()
            .get(0)
            .harmful());
  }

  @Test
  void aRateNearOneIsAsRareAsOneNearZero() {
    AnalysisPlan plan = plan(new Measure.Conversion("bought", false), Direction.DOWN, 0);
    assertEquals(
        "TOO_FEW_EVENTS",
        Numbers.read(plan, phase(sample(CONTROL, 99_000, 98_010), sample(TREATMENT, 1_000, 1_000)))
            .guardrails()
            .get(0)
            .reason());
  }
}
