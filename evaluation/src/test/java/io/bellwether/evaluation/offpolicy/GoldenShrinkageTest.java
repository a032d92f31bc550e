package io.bellwether.evaluation.offpolicy;

import static io.bellwether.evaluation.Golden.closed;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.evaluation.BanditLog;
import io.bellwether.evaluation.Golden;
import io.bellwether.evaluation.interval.Interval;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Cut and harmonically corrected weights, and the formulas of online learners. */
class GoldenShrinkageTest {
  private final JsonNode tiny = Golden.json("ope_tiny.json");

  @Test
  void eightRows() {
    assertRows(
        BanditLog.tiny(),
        tiny.get("estimators"),
        Map.of(
            "sg_ips", new SubGaussianIps(0.1),
            "sg_dr", new SubGaussianDoublyRobust(0.1),
            "dr_clip", new ClippedDoublyRobust(2)));
  }

  @Test
  void sixHundredRows() {
    BanditLog log = BanditLog.synthetic();
    JsonNode golden = Golden.json("ope_synthetic_expected.json").get("estimators");
    Map<String, Estimator> estimators =
        Map.of(
            "sg_ips", new SubGaussianIps(golden.at("/sg_ips/lambda").doubleValue()),
            "sg_dr", new SubGaussianDoublyRobust(golden.at("/sg_dr/lambda").doubleValue()),
            "dr_clip", new ClippedDoublyRobust(golden.at("/dr_clip/lambda").doubleValue()));
    assertValues(log, golden, estimators);
  }

  @Test
  void everyParameterTriedOnSixHundredRows() {
    JsonNode families = Golden.json("ope_synthetic_expected.json").get("tuning");
    LoggedDecisions log = BanditLog.synthetic().log();
    families
        .properties()
        .forEach(
            family ->
                family
                    .getValue()
                    .get("candidates")
                    .forEach(
                        candidate -> {
                          double value = candidate.get("value").doubleValue();
                          Estimator estimator =
                              estimator(family.getKey(), candidate.get("lambda").asText());
                          assertEquals(
                              value,
                              influence(estimator, log).value(),
                              closed(value),
                              estimator.toString());
                        }));
  }

  @Test
  void rewardsOfHalfTheSizeGiveTheStreamingLearnersEstimates() {
    BanditLog log = BanditLog.tiny();
    LoggedDecisions halved =
        log.columns()
            .signal(
                "half",
                LoggedDecisions.Signal.withoutModel(log.column(row -> log.reward()[row] / 2)))
            .build();
    Estimate ips =
        Influence.of(new Ips(), halved.underTarget("half", halved.targetWeights()))
            .orElseThrow()
            .estimate(halved.units());
    Estimate snips =
        Influence.of(new Snips(), halved.underTarget("half", halved.targetWeights()))
            .orElseThrow()
            .estimate(halved.units());
    JsonNode golden = tiny.get("vw_estimators");
    assertClose(golden.at("/ips/estimate"), ips.point().orElseThrow());
    assertClose(golden.at("/snips/estimate"), snips.point().orElseThrow());
    Interval normal = Interval.normal(ips.point().orElseThrow(), ips.error().orElseThrow(), 0.95);
    assertClose(golden.at("/gaussian/interval_alpha_0.05/0"), normal.lower());
    assertClose(golden.at("/gaussian/interval_alpha_0.05/1"), normal.upper());
  }

  @Test
  void costsOfActionsThatWereNotTried() {
    JsonNode golden = tiny.get("vw_cost_vectors");
    double[] predicted = Golden.doubles(golden.get("predicted_costs"));
    int logged = golden.get("logged_action").intValue();
    double propensity = golden.get("p").doubleValue();
    double cost = golden.get("cost").doubleValue();
    assertArrayEquals(
        Golden.doubles(golden.get("ips")), CostVector.ips(3, logged, cost, propensity), 1e-12);
    assertArrayEquals(Golden.doubles(golden.get("dm")), CostVector.direct(predicted), 0);
    assertArrayEquals(
        Golden.doubles(golden.get("dr")),
        CostVector.doublyRobust(predicted, logged, cost, propensity),
        1e-12);
    assertEquals(1 / 0.3, CostVector.regressionWeight(propensity), 1e-12);
  }

  private static void assertRows(
      BanditLog log, JsonNode golden, Map<String, Estimator> estimators) {
    assertValues(log, golden, estimators);
    DecisionColumns columns = columns(log.log());
    estimators.forEach(
        (name, estimator) -> {
          DecisionRow row = columns.newRow();
          double[] terms = new double[1];
          double[] rows = Golden.doubles(golden.get(name).get("rows"));
          for (int decision = 0; decision < rows.length; decision++) {
            columns.read(decision, row);
            estimator.terms(row, terms);
            assertEquals(rows[decision], terms[0], closed(rows[decision]), name);
          }
        });
  }

  private static void assertValues(
      BanditLog log, JsonNode golden, Map<String, Estimator> estimators) {
    LoggedDecisions columns = log.log();
    estimators.forEach(
        (name, estimator) -> {
          Estimate found = influence(estimator, columns).estimate(columns.units());
          assertClose(golden.get(name).get("value"), found.point().orElseThrow());
          assertClose(golden.get(name).get("se"), found.error().orElseThrow());
        });
  }

  private static Estimator estimator(String family, String parameter) {
    double lambda = Double.parseDouble(parameter);
    return switch (family) {
      case "ips_clip" -> new ClippedIps(lambda);
      case "dr_clip" -> new ClippedDoublyRobust(lambda);
      case "switch_dr" -> new SwitchDoublyRobust(lambda);
      case "dr_os" -> new ShrunkDoublyRobust(lambda);
      case "sg_ips" -> new SubGaussianIps(lambda);
      case "sg_dr" -> new SubGaussianDoublyRobust(lambda);
      default -> throw new IllegalArgumentException(family);
    };
  }

  private static Influence influence(Estimator estimator, LoggedDecisions log) {
    return Influence.of(estimator, columns(log)).orElseThrow();
  }

  private static DecisionColumns columns(LoggedDecisions log) {
    return log.underTarget(BanditLog.REWARD, log.targetWeights());
  }

  private static void assertClose(JsonNode expected, double found) {
    assertEquals(expected.doubleValue(), found, closed(expected.doubleValue()));
  }
}
