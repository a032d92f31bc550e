package io.bellwether.evaluation.report;

import static io.bellwether.evaluation.Golden.closed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.evaluation.Golden;
import io.bellwether.evaluation.OpenBanditLog;
import io.bellwether.evaluation.interval.Interval;
import io.bellwether.evaluation.offpolicy.ClippedIps;
import io.bellwether.evaluation.offpolicy.DirectMethod;
import io.bellwether.evaluation.offpolicy.DoublyRobust;
import io.bellwether.evaluation.offpolicy.Ips;
import io.bellwether.evaluation.offpolicy.SelfNormalizedDoublyRobust;
import io.bellwether.evaluation.offpolicy.ShrunkDoublyRobust;
import io.bellwether.evaluation.offpolicy.Snips;
import io.bellwether.evaluation.offpolicy.SwitchDoublyRobust;
import io.bellwether.evaluation.offpolicy.WeightDiagnostics;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The four directions of a real log against the reference: values, diagnostics and verdicts. */
class OpenBanditGateTest {
  private static final Map<String, String> GOLDEN_NAMES =
      Map.of(
          "ips", "ips",
          "ips-clipped", "ips_clip5",
          "snips", "snips",
          "dm", "dm",
          "dr", "dr",
          "sndr", "sndr",
          "switch-dr", "switch_dr5",
          "dr-shrunk", "dr_os25");

  private final JsonNode golden = Golden.json("obd_expected.json").get("results");

  @Test
  void menRandomToThompsonCannotBeTold() {
    OffPolicyReport report = report("men", "random", "bts", 34);
    assertEquals(Verdict.Code.UNDECIDED, report.verdict().code());
    assertTBound(report, golden.get("men:random->bts"));
    assertEquals("not-enough-evidence", report.verdict().word());
  }

  @Test
  void womenRandomToThompsonCannotBeTold() {
    OffPolicyReport report = report("women", "random", "bts", 46);
    assertEquals(Verdict.Code.UNDECIDED, report.verdict().code());
    assertTBound(report, golden.get("women:random->bts"));
  }

  @Test
  void menThompsonToRandomHasTooFewEffectiveDecisionsForNormalBounds() {
    OffPolicyReport report = report("men", "bts", "random", 34);
    JsonNode gate = golden.get("men:bts->random").get("gate_min_lift_0_alpha_0.05");
    ContrastResult objective = report.verdict().evidence().objective();
    Interval interval = ((Bounds.Within) objective.bounds()).interval();
    assertEquals(Interval.Method.EMPIRICAL_BERNSTEIN_SEQUENCE, interval.method());
    assertNumber(gate, "lower_delta", interval.lower());
    assertNumber(gate, "delta_sndr_minus_logging", objective.estimate().point().orElseThrow());
    assertNumber(gate, "se_paired", objective.estimate().error().orElseThrow());
    assertEquals(Verdict.Code.UNDECIDED, report.verdict().code());
  }

  @Test
  void womenThompsonToRandomIsRefusedThoughTheMeanWeightLooksRight() {
    OffPolicyReport report = report("women", "bts", "random", 46);
    JsonNode gate = golden.get("women:bts->random").get("gate_min_lift_0_alpha_0.05");
    assertEquals(Verdict.Code.INSUFFICIENT_SUPPORT, report.verdict().code());
    WeightDiagnostics weights = report.diagnostics().targetWeights().get(0);
    assertNumber(gate, "max_w_share", weights.largestShare());
    assertNumber(gate, "z", weights.meanWeightZ());
    assertTrue(Math.abs(weights.meanWeightZ()) < 1);
  }

  @Test
  void theReportSaysHowManyRowsWouldShowATenthMoreClicks() {
    OffPolicyReport report = report("men", "random", "bts", 34);
    RowsNeeded.Known needed = (RowsNeeded.Known) report.rowsNeeded();
    assertEquals(0.00046, needed.effect(), 1e-12);
    double spread = 0.0009941987936446333 * 100;
    double expected = Math.pow((1.6448536269514722 + 0.8416212335729143) * spread / 0.00046, 2);
    assertEquals(expected, (double) needed.decisions(), 1);
  }

  private void assertTBound(OffPolicyReport report, JsonNode direction) {
    JsonNode gate = direction.get("gate_min_lift_0_alpha_0.05");
    ContrastResult objective = report.verdict().evidence().objective();
    Interval interval = ((Bounds.Within) objective.bounds()).interval();
    assertEquals(Interval.Method.STUDENT, interval.method());
    assertNumber(gate, "delta_sndr_minus_logging", objective.estimate().point().orElseThrow());
    assertNumber(gate, "se_paired", objective.estimate().error().orElseThrow());
    assertNumber(gate, "lower_one_sided_95", interval.lower());
    assertNumber(gate, "upper_one_sided_95", interval.upper());
    assertNumber(gate, "ess", report.diagnostics().effectiveSampleSize());
  }

  private OffPolicyReport report(String campaign, String logging, String target, int items) {
    OpenBanditLog log = OpenBanditLog.read(campaign, logging);
    EvaluationPlan plan =
        EvaluationPlan.of(Objective.maximize(OpenBanditLog.CLICK))
            .withRange(OpenBanditLog.CLICK, Range.FLAG)
            .withEstimators(
                List.of(
                    new Ips(),
                    new ClippedIps(5),
                    new Snips(),
                    new DirectMethod(),
                    new DoublyRobust(),
                    new SelfNormalizedDoublyRobust(),
                    new SwitchDoublyRobust(5),
                    new ShrunkDoublyRobust(25)));
    OffPolicyReport report =
        OffPolicyReport.of(log.log(OpenBanditLog.target(campaign, target, items)), plan);
    JsonNode direction = golden.get("%s:%s->%s".formatted(campaign, logging, target));
    assertEstimates(report, direction.get("estimators"));
    assertWeights(report.diagnostics().targetWeights().get(0), direction);
    return report;
  }

  private static void assertEstimates(OffPolicyReport report, JsonNode estimators) {
    for (SignalEstimate each : report.estimates()) {
      if (each.policy().equals("target")) {
        JsonNode expected = estimators.get(GOLDEN_NAMES.get(each.estimator()));
        assertNumber(expected, "value", each.estimate().point().orElseThrow());
        assertNumber(expected, "se", each.estimate().error().orElseThrow());
        double[] interval = Golden.doubles(expected.get("ci95_normal"));
        Interval found = ((Bounds.Within) each.interval()).interval();
        assertEquals(interval[0], found.lower(), closed(interval[0]));
        assertEquals(interval[1], found.upper(), closed(interval[1]));
      }
    }
  }

  private static void assertWeights(WeightDiagnostics weights, JsonNode direction) {
    JsonNode diagnostics = direction.get("diagnostics");
    assertNumber(diagnostics, "mean_w", weights.meanWeight());
    assertNumber(diagnostics, "z", weights.meanWeightZ());
    assertNumber(diagnostics, "max_w", weights.largest());
    assertNumber(diagnostics, "ess", weights.effectiveSampleSize());
    double[] quantiles = Golden.doubles(diagnostics.get("q50_q90_q99"));
    assertEquals(quantiles[0], weights.median(), closed(quantiles[0]));
    assertEquals(quantiles[1], weights.ninetiethPercentile(), closed(quantiles[1]));
    assertEquals(quantiles[2], weights.ninetyNinthPercentile(), closed(quantiles[2]));
    JsonNode histogram = direction.get("weight_histogram");
    List<Long> middle =
        Arrays.stream(Golden.doubles(histogram.get("counts_in_[10^j,10^(j+1))")))
            .mapToObj(count -> (long) count)
            .toList();
    assertEquals(middle, weights.histogram().subList(1, 8));
    assertEquals(histogram.get("below_1e-3").longValue(), weights.histogram().get(0));
    assertEquals(histogram.get("at_or_above_1e4").longValue(), weights.histogram().get(8));
    assertEquals(histogram.get("zero").longValue(), weights.zeros());
  }

  private static void assertNumber(JsonNode golden, String name, double found) {
    double expected = golden.get(name).doubleValue();
    assertEquals(expected, found, Math.max(1e-11, closed(expected)), name);
  }
}
