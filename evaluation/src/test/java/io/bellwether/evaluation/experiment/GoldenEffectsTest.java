package io.bellwether.evaluation.experiment;

import static io.bellwether.evaluation.Golden.closed;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.evaluation.Golden;
import io.bellwether.evaluation.interval.AsymptoticSequence;
import io.bellwether.evaluation.interval.Interval;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Effects on the same 1,200 units as the reference's. */
class GoldenEffectsTest {
  private static final AsymptoticSequence SEQUENCE = new AsymptoticSequence(0.05, 5000);

  private final JsonNode golden = Golden.json("ab_expected.json");
  private final VariantSample control = Units.golden("ab_units.csv", 0);
  private final VariantSample treatment = Units.golden("ab_units.csv", 1);

  @Test
  void meanOfTotals() {
    agrees("mean_post", new Measure.Mean("post", false));
  }

  @Test
  void shareOfConvertedUnits() {
    agrees("proportion_converted", new Measure.Conversion("converted", false));
  }

  @Test
  void ratioOfTotals() {
    agrees("ratio_clicks_per_session", new Measure.Ratio("clicks", "sessions", false));
  }

  @Test
  void quantiles() {
    agrees("quantile_post_p90", new Measure.Quantile("post", 0.9));
    agrees("quantile_post_p50", new Measure.Quantile("post", 0.5));
  }

  @Test
  void meanWithACovariate() {
    agrees("cuped_post_by_pre", new Measure.Mean("post", true));
    Covariates.Slopes slopes =
        new Covariates(List.of("pre:post"))
            .slopes(new Linear.OfMean("post"), control.moments(), treatment.moments());
    JsonNode expected = golden.get("metrics").get("cuped_post_by_pre");
    double theta = slopes.theta()[control.moments().index("pre:post")];
    assertEquals(number(expected, "theta"), theta, closed(theta));
    double left = square(effect(new Measure.Mean("post", true)).standardError());
    double of = square(effect(new Measure.Mean("post", false)).standardError());
    double ratio = number(expected, "variance_ratio_vs_unadjusted");
    assertEquals(ratio, left / of, closed(ratio));
  }

  @Test
  void meanOfCappedTotals() {
    Measure.Winsorised measure = new Measure.Winsorised("post", 0.99);
    agrees("winsorised_post_p99", measure);
    Measure.Capping capping = measure.capping(control, treatment).orElseThrow();
    double cap = golden.at("/metrics/winsorised_post_p99/cap").doubleValue();
    assertEquals(cap, capping.cap(), closed(cap));
    double cut =
        capping.controlShare() * control.units() + capping.treatmentShare() * treatment.units();
    assertEquals(12, cut, 1e-9);
  }

  @Test
  void sumsOfLargeSamplesAreEnough() {
    JsonNode row = golden.get("sufficient_statistics_cases").get(0);
    Effect effect = effect(new Measure.Mean("y", false), ofSums(row, "a"), ofSums(row, "b"));
    agrees(row.get("result"), effect);
  }

  @Test
  void twoUnitsPerVariantHaveAnEffectAndNoRelativeOne() {
    JsonNode row = golden.get("sufficient_statistics_cases").get(1);
    Effect effect = effect(new Measure.Mean("y", false), ofSums(row, "a"), ofSums(row, "b"));
    agrees(row.get("result").get("absolute"), effect.absolute(), effect.units());
    assertEquals(new Lift.Withheld(EffectOutcome.Reason.UNSTABLE_BASELINE), effect.lift());
  }

  @Test
  void nonInferiority() {
    for (JsonNode row : Golden.json("extra_expected.json").get("non_inferiority")) {
      NonInferiority found =
          new NonInferiority(
              number(row, "effect_treatment_minus_control"),
              number(row, "se"),
              number(row, "margin"),
              0.05);
      assertEquals(number(row, "z"), found.z(), closed(found.z()));
      assertEquals(number(row, "p"), found.p(), closed(found.p()));
      assertEquals(number(row, "lower_95_one_sided"), found.lower(), closed(found.lower()));
      assertEquals(row.get("non_inferior_at_0.05").booleanValue(), found.established());
      assertFalse(found.refuted());
    }
  }

  @Test
  void quantileOfSeveralValuesPerUnit() {
    JsonNode expected = Golden.json("extra_expected.json").get("clustered_quantile");
    Golden.Table events = Golden.csv("cluster_events.csv");
    int[] clusters =
        Arrays.stream(events.column("cluster")).mapToInt(cluster -> (int) cluster).toArray();
    ClusteredQuantile found =
        ClusteredQuantile.of(number(expected, "nu"), clusters, events.column("value"))
            .orElseThrow();
    double[] values = {
      found.value(),
      found.lower(),
      found.upper(),
      found.independentError(),
      found.standardError(),
      found.designEffect()
    };
    double[] reference = {
      number(expected, "quantile_hat"),
      number(expected, "q_lower"),
      number(expected, "q_upper"),
      number(expected, "se_iid"),
      number(expected, "se_clustered"),
      number(expected, "design_effect")
    };
    assertArrayEquals(reference, values, 1e-9);
  }

  @Test
  void whatTheReferenceCallsNoEffectIsUndefined() {
    VariantSample constant = ofSums(10, 20, 40);
    VariantSample zero = ofSums(10, 0, 0);
    VariantSample empty = ofSums(0, 0, 0);
    VariantSample usual = ofSums(10, 20, 60);
    assertEquals(EffectOutcome.Reason.ZERO_VARIANCE, reason(constant, constant));
    assertEquals(EffectOutcome.Reason.EMPTY_VARIANT, reason(empty, usual));
    assertEquals(EffectOutcome.Reason.EMPTY_VARIANT, reason(usual, empty));
    Effect fromZero = effect(new Measure.Mean("y", false), zero, usual);
    assertEquals(2, fromZero.difference());
    assertEquals(new Lift.Withheld(EffectOutcome.Reason.ZERO_BASELINE), fromZero.lift());
  }

  private void agrees(String name, Measure measure) {
    agrees(golden.get("metrics").get(name), effect(measure));
  }

  private static void agrees(JsonNode expected, Effect effect) {
    agrees(expected.get("absolute"), effect.absolute(), effect.units());
    agrees(expected.get("relative"), effect.lift().known().orElseThrow(), effect.units());
  }

  private static void agrees(JsonNode expected, Welch found, long units) {
    double error = found.standardError();
    assertEquals(number(expected, "effect"), found.difference(), closed(found.difference()));
    assertEquals(number(expected, "se"), error, closed(error));
    assertEquals(number(expected, "dof"), found.degreesOfFreedom(), closed(1000));
    assertEquals(number(expected, "t_p"), found.p(), 1e-9);
    Interval interval = found.interval(0.95);
    assertArrayEquals(
        Golden.doubles(expected.get("t_ci95")),
        new double[] {interval.lower(), interval.upper()},
        1e-8 * error);
    assertEquals(number(expected, "one_sided_lesser_p"), found.pOfNotLower(), 1e-9);
    double upper = expected.get("one_sided_lesser_ci").get(1).doubleValue();
    assertEquals(upper, found.upper(0.05), 1e-8 * error);
    assertEquals(2 * found.difference() - upper, found.lower(0.05), 1e-8 * error);
    double margin = SEQUENCE.twoSidedMargin(units, error);
    assertArrayEquals(
        Golden.doubles(expected.get("seq_ci95")),
        new double[] {found.difference() - margin, found.difference() + margin},
        closed(margin));
  }

  private Effect effect(Measure measure) {
    return effect(measure, control, treatment);
  }

  private static Effect effect(Measure measure, VariantSample control, VariantSample treatment) {
    EffectOutcome outcome = metric(measure).effect(control, treatment);
    assertTrue(outcome.units() > 0);
    return assertInstanceOf(Effect.class, outcome, outcome::toString);
  }

  private static EffectOutcome.Reason reason(VariantSample control, VariantSample treatment) {
    EffectOutcome outcome = metric(new Measure.Mean("y", false)).effect(control, treatment);
    return assertInstanceOf(EffectOutcome.Undefined.class, outcome).reason();
  }

  private static Metric metric(Measure measure) {
    return new Metric("metric", measure, Direction.UP);
  }

  private static VariantSample ofSums(JsonNode row, String variant) {
    double[] sums = Golden.doubles(row.get(variant));
    return ofSums((long) sums[0], sums[1], sums[2]);
  }

  private static VariantSample ofSums(long units, double sum, double squares) {
    return VariantSample.of(
        "variant", new Moments(List.of("y"), units, new double[] {sum}, new double[] {squares}));
  }

  private static double square(double value) {
    return value * value;
  }

  private static double number(JsonNode row, String name) {
    return row.get(name).doubleValue();
  }
}
