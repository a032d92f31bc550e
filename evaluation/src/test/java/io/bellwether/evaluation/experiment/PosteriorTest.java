package io.bellwether.evaluation.experiment;

import static io.bellwether.evaluation.Golden.closed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.evaluation.Golden;
import io.bellwether.evaluation.interval.Interval;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class PosteriorTest {
  private static final String FLAT = "bayes_flat";
  private static final String PRIOR = "bayes_prior_N(0,0.1^2)_relative";

  @Test
  void normalPosteriorsOfEveryMetricAgree() {
    JsonNode metrics = Golden.json("ab_expected.json").get("metrics");
    double unadjusted = metrics.at("/mean_post/stat_a/mean").doubleValue();
    metrics.properties().stream()
        .filter(metric -> metric.getValue().has("absolute"))
        .forEach(
            metric -> {
              JsonNode golden = metric.getValue();
              // With a covariate the lift still divides by the unadjusted mean.
              boolean adjusted = metric.getKey().startsWith("cuped");
              double control = adjusted ? unadjusted : golden.at("/stat_a/mean").doubleValue();
              NormalPosterior.Prior lifts = NormalPosterior.Prior.DEFAULT;
              assertPosterior(
                  golden.get("absolute"),
                  new NormalPosterior.Prior(0, lifts.standardDeviation() * control));
              assertPosterior(golden.get("relative"), lifts);
            });
  }

  @Test
  void betaPosteriorsAgree() {
    for (JsonNode row : Golden.json("extra_expected.json").get("beta_binomial")) {
      BetaPosterior a = BetaPosterior.of(row.get("x_a").longValue(), row.get("n_a").longValue());
      BetaPosterior b = BetaPosterior.of(row.get("x_b").longValue(), row.get("n_b").longValue());
      double tolerance = row.get("tolerance").doubleValue();
      assertEquals(row.get("prob_b_better").doubleValue(), b.chanceAbove(a), tolerance);
      assertEquals(row.get("expected_loss_choosing_b").doubleValue(), b.lossAgainst(a), tolerance);
      assertEquals(row.get("expected_loss_choosing_a").doubleValue(), a.lossAgainst(b), tolerance);
    }
  }

  @Property
  void lossesDifferByTheMean(
      @ForAll @DoubleRange(min = -5, max = 5) double mean,
      @ForAll @DoubleRange(min = 0.01, max = 5) double deviation) {
    NormalPosterior posterior = NormalPosterior.flat(mean, deviation);
    assertEquals(mean, posterior.lossOfControl() - posterior.lossOfTreatment(), 1e-12);
    NormalPosterior mirrored = NormalPosterior.flat(-mean, deviation);
    assertEquals(1, posterior.chanceToWin() + mirrored.chanceToWin(), 1e-12);
  }

  @Property(tries = 100)
  void oneOfTwoRatesIsTheHigherAndLossesDifferByTheirMeans(
      @ForAll @IntRange(min = 0, max = 3_000) int first,
      @ForAll @IntRange(min = 0, max = 3_000) int second,
      @ForAll @IntRange(min = 0, max = 30_000) int more) {
    BetaPosterior a = BetaPosterior.of(first, (long) first + more);
    BetaPosterior b = BetaPosterior.of(second, (long) second + more);
    assertEquals(1, a.chanceAbove(b) + b.chanceAbove(a), 1e-9);
    assertEquals(a.mean() - b.mean(), b.lossAgainst(a) - a.lossAgainst(b), 1e-9);
  }

  /** The last two edges of the quadrature then lie one rounding apart, and a node falls on 1. */
  @Test
  void aRateThatNeverFailedIsCompared() {
    BetaPosterior never = BetaPosterior.of(10, 10);
    BetaPosterior sure = BetaPosterior.of(35, 35);
    // Uniform priors: P(x > y) of Beta(11, 1) and Beta(36, 1) is 11 / 47.
    assertEquals(11.0 / 47, never.chanceAbove(sure), 1e-9);
    assertEquals(36.0 / 47, sure.chanceAbove(never), 1e-9);
  }

  @Property
  void aPriorPullsTowardsItself(
      @ForAll @DoubleRange(min = -1, max = 1) double effect,
      @ForAll @DoubleRange(min = 0.01, max = 1) double error) {
    NormalPosterior posterior = NormalPosterior.of(NormalPosterior.Prior.DEFAULT, effect, error);
    assertEquals(effect, posterior.mean() * (1 + error * error / 0.01), 1e-12);
  }

  @Test
  void beliefsWithoutASpreadAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> NormalPosterior.flat(1, 0));
    assertThrows(IllegalArgumentException.class, () -> BetaPosterior.of(3, 2));
    assertThrows(IllegalArgumentException.class, () -> new NormalPosterior.Prior(0, 0));
  }

  private static void assertPosterior(JsonNode golden, NormalPosterior.Prior prior) {
    double effect = golden.get("effect").doubleValue();
    double error = golden.get("se").doubleValue();
    assertReading(golden.get(FLAT), NormalPosterior.flat(effect, error));
    NormalPosterior posterior = NormalPosterior.of(prior, effect, error);
    assertReading(golden.get(PRIOR), posterior);
    double expected = golden.get(PRIOR).get("expected").doubleValue();
    assertEquals(expected, posterior.mean(), closed(expected));
  }

  private static void assertReading(JsonNode golden, NormalPosterior found) {
    double chance = golden.get("chance_to_win").doubleValue();
    assertEquals(chance, found.chanceToWin(), closed(chance));
    double treatment = golden.get("risk_of_shipping_treatment").doubleValue();
    assertEquals(treatment, found.lossOfTreatment(), closed(treatment));
    double control = golden.get("risk_of_keeping_control").doubleValue();
    assertEquals(control, found.lossOfControl(), closed(control));
    double[] bounds = Golden.doubles(golden.get("ci"));
    Interval interval = found.interval(0.95);
    assertEquals(bounds[0], interval.lower(), closed(bounds[0]));
    assertEquals(bounds[1], interval.upper(), closed(bounds[1]));
  }
}
