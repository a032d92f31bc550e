package io.bellwether.infra.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.evaluation.interval.Normal;
import java.util.List;
import org.junit.jupiter.api.Test;

class ComparedPoliciesTest {
  private static final double ALPHA = 0.05;

  @Test
  void holmLetsPassWhatBonferroniLeavesUndecided() {
    List<ComparedPolicies.Outcome> outcomes =
        outcomes(undecided(0.01), undecided(0.02), undecided(0.5));
    assertEquals(0.03, outcomes.get(0).adjusted(), 1e-4);
    assertEquals(0.04, outcomes.get(1).adjusted(), 1e-4);
    assertEquals(0.5, outcomes.get(2).adjusted(), 1e-4);
    assertEquals(List.of("pass", "pass", "not-enough-evidence"), verdicts(outcomes));
  }

  @Test
  void itStopsAtTheFirstThatIsNotShown() {
    assertEquals(
        List.of("not-enough-evidence", "not-enough-evidence"),
        verdicts(outcomes(undecided(0.03), undecided(0.04))));
  }

  @Test
  void aPromiseThatIsNotShownKeepsAPolicyFromPassing() {
    ObjectNode report = undecided(0.001);
    report.putArray("constraints").addObject().put("status", "UNDECIDED");
    assertEquals(List.of("not-enough-evidence"), verdicts(outcomes(report)));
    ((ObjectNode) report.at("/constraints/0")).put("status", "SATISFIED");
    assertEquals(List.of("pass"), verdicts(outcomes(report)));
  }

  @Test
  void theErrorProbabilityIsSharedWithThePromises() {
    ObjectNode report = undecided(0.03);
    assertEquals(List.of("pass"), verdicts(outcomes(report)));
    report.putArray("constraints").addObject().put("status", "SATISFIED");
    assertEquals(List.of("not-enough-evidence"), verdicts(outcomes(report)));
  }

  @Test
  void whereNoPValueHoldsOnlyTheReportsOwnVerdictCounts() {
    ObjectNode thin = undecided(0.0001);
    ((ObjectNode) thin.get("diagnostics")).put("effectiveSampleSize", 500);
    assertEquals(List.of("not-enough-evidence"), verdicts(outcomes(thin)));
    ObjectNode far = undecided(0.0001);
    ((ObjectNode) far.get("gate")).putArray("checks").addObject().put("status", "BLOCKS_PASS");
    assertEquals(List.of("not-enough-evidence"), verdicts(outcomes(far)));
    ObjectNode refused = undecided(0.0001);
    ((ObjectNode) refused.at("/comparisons/0/difference")).putNull("value");
    List<ComparedPolicies.Outcome> outcomes = outcomes(refused);
    assertEquals(1, outcomes.get(0).p());
    assertEquals(List.of("not-enough-evidence"), verdicts(outcomes));
    assertEquals(List.of("pass"), verdicts(outcomes(thin.put("verdict", "pass"))));
  }

  private static List<ComparedPolicies.Outcome> outcomes(JsonNode... reports) {
    return new ComparedPolicies(ALPHA, List.of(reports)).outcomes();
  }

  private static List<String> verdicts(List<ComparedPolicies.Outcome> outcomes) {
    return outcomes.stream().map(ComparedPolicies.Outcome::verdict).toList();
  }

  /** A report that lacks nothing but a shown difference, whose one-sided p-value is this. */
  private static ObjectNode undecided(double p) {
    ObjectNode report = new ObjectMapper().createObjectNode();
    report.put("verdict", "not-enough-evidence");
    ObjectNode meta = report.putObject("meta");
    meta.put("primary", "sndr").put("baseline", "logging policy").put("minLift", 0.0);
    meta.putObject("objective").put("signal", "click");
    report.putObject("gate").put("code", "UNDECIDED").putArray("checks");
    report.putObject("diagnostics").put("effectiveSampleSize", 5000);
    report.putArray("constraints");
    report
        .putArray("comparisons")
        .addObject()
        .put("against", "logging")
        .put("signal", "click")
        .put("estimator", "sndr")
        .putObject("difference")
        .put("value", Normal.quantile(1 - p))
        .put("se", 1.0)
        .put("units", 10_000_000);
    return report;
  }
}
