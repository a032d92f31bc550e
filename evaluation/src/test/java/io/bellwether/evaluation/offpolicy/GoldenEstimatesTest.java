package io.bellwether.evaluation.offpolicy;

import static io.bellwether.evaluation.Golden.closed;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.evaluation.BanditLog;
import io.bellwether.evaluation.Golden;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Values and standard errors against the reference, by columns and by stream. */
class GoldenEstimatesTest {

  @Test
  void eightRows() {
    assertEstimates(
        BanditLog.tiny(),
        Golden.json("ope_tiny.json").get("estimators"),
        Map.of(
            "ips", new Ips(),
            "ips_clip", new ClippedIps(2),
            "snips", new Snips(),
            "dm", new DirectMethod(),
            "dr", new DoublyRobust(),
            "sndr", new SelfNormalizedDoublyRobust(),
            "switch_dr", new SwitchDoublyRobust(2),
            "dr_os", new ShrunkDoublyRobust(3)));
  }

  @Test
  void sixHundredRows() {
    assertEstimates(
        BanditLog.synthetic(),
        Golden.json("ope_synthetic_expected.json").get("estimators"),
        Map.of(
            "ips", new Ips(),
            "ips_clip", new ClippedIps(3),
            "snips", new Snips(),
            "dm", new DirectMethod(),
            "dr", new DoublyRobust(),
            "sndr", new SelfNormalizedDoublyRobust(),
            "switch_dr", new SwitchDoublyRobust(3),
            "dr_os", new ShrunkDoublyRobust(10)));
  }

  @Test
  void repeatedUnitsMakeTheErrorClusterRobust() {
    JsonNode expected = Golden.json("extra_expected.json").get("cluster_robust_se_ope_tiny");
    BanditLog log = BanditLog.tiny();
    LoggedDecisions columns = log.logWithUnitsOf(2);
    Map<String, Estimator> estimators =
        Map.of("ips", new Ips(), "snips", new Snips(), "dr", new DoublyRobust());
    estimators.forEach(
        (name, estimator) -> {
          double error = expected.get(name).doubleValue();
          Estimate byColumns = influence(estimator, columns).estimate(columns.units());
          assertEquals(error, byColumns.error().orElseThrow(), closed(error));
          assertEquals(Estimate.ErrorKind.CLUSTER, ((Estimate.Estimated) byColumns).errorKind());
          StreamingEstimate stream = StreamingEstimate.perUnit(estimator, 1);
          for (int row = 0; row < log.size(); row++) {
            stream.add(row / 2, decision(log, row));
          }
          assertEquals(error, stream.result().error().orElseThrow(), closed(error));
        });
  }

  @Test
  void differencesToTheLoggingPolicyArePaired() {
    JsonNode expected = Golden.json("extra_expected.json").get("paired_difference_ope_tiny");
    LoggedDecisions columns = BanditLog.tiny().log();
    Influence target = influence(new DoublyRobust(), columns);
    Influence logging = influence(new LoggingMean(), columns);
    Estimate difference = target.combine(1, logging, -1, 0).estimate(columns.units());
    Estimate lift = target.relativeTo(logging).estimate(columns.units());
    assertEquals(
        expected.get("dr_minus_on_policy").doubleValue(), difference.point().orElseThrow(), 1e-12);
    assertEquals(expected.get("se_paired").doubleValue(), difference.error().orElseThrow(), 1e-10);
    assertEquals(expected.get("relative_lift").doubleValue(), lift.point().orElseThrow(), 1e-12);
    assertEquals(expected.get("relative_lift_se").doubleValue(), lift.error().orElseThrow(), 1e-10);
  }

  @Test
  void diagnosticsOfEightAndSixHundredRows() {
    assertDiagnostics(BanditLog.tiny(), Golden.json("ope_tiny.json").get("diagnostics"));
    assertDiagnostics(
        BanditLog.synthetic(), Golden.json("ope_synthetic_expected.json").get("diagnostics"));
  }

  private static void assertEstimates(
      BanditLog log, JsonNode golden, Map<String, Estimator> estimators) {
    LoggedDecisions columns = log.log();
    estimators.forEach(
        (name, estimator) -> {
          double value = golden.get(name).get("value").doubleValue();
          double error = golden.get(name).get("se").doubleValue();
          Estimate byColumns = influence(estimator, columns).estimate(columns.units());
          assertEquals(value, byColumns.point().orElseThrow(), closed(value), name);
          assertEquals(error, byColumns.error().orElseThrow(), closed(error), name);
          Estimate byStream = stream(estimator, log).result();
          assertEquals(value, byStream.point().orElseThrow(), closed(value), name);
          assertEquals(error, byStream.error().orElseThrow(), closed(error), name);
        });
  }

  private static void assertDiagnostics(BanditLog log, JsonNode golden) {
    WeightDiagnostics found = WeightDiagnostics.of(log.column(log::weight));
    assertNumber(golden, "mean_w", found.meanWeight());
    assertNumber(golden, "z_mean_w_minus_1", found.meanWeightZ());
    assertNumber(golden, "max_w", found.largest());
    assertNumber(golden, "ess", found.effectiveSampleSize());
    assertNumber(golden, "share_top_1pct_weight", found.topPercentShare());
    assertEquals(0, found.zeros());
    double[] interval = Golden.doubles(golden.get("ci95_mean_w"));
    assertEquals(interval[0], found.meanWeightInterval().lower(), closed(interval[0]));
    assertEquals(interval[1], found.meanWeightInterval().upper(), closed(interval[1]));
    double[] quantiles = Golden.doubles(golden.get("q50_q90_q99_w"));
    assertEquals(quantiles[0], found.median(), closed(quantiles[0]));
    assertEquals(quantiles[1], found.ninetiethPercentile(), closed(quantiles[1]));
    assertEquals(quantiles[2], found.ninetyNinthPercentile(), closed(quantiles[2]));
  }

  private static void assertNumber(JsonNode golden, String name, double found) {
    double expected = golden.get(name).doubleValue();
    assertEquals(expected, found, closed(expected), name);
  }

  private static Influence influence(Estimator estimator, LoggedDecisions columns) {
    return Influence.of(estimator, columns.underTarget(BanditLog.REWARD, columns.targetWeights()))
        .orElseThrow();
  }

  private static StreamingEstimate stream(Estimator estimator, BanditLog log) {
    StreamingEstimate stream = StreamingEstimate.perDecision(estimator, 1);
    for (int row = 0; row < log.size(); row++) {
      stream.add(row, decision(log, row));
    }
    return stream;
  }

  private static DecisionRow decision(BanditLog log, int row) {
    return new DecisionRow(1)
        .next(log.weight(row), log.reward()[row], log.prediction(row), log.direct(row));
  }
}
