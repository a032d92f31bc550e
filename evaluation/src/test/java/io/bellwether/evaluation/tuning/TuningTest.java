package io.bellwether.evaluation.tuning;

import static io.bellwether.evaluation.Golden.closed;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.evaluation.BanditLog;
import io.bellwether.evaluation.Golden;
import io.bellwether.evaluation.SimulatedLog;
import io.bellwether.evaluation.offpolicy.DecisionColumns;
import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Choices of cuts and shrinkages against the reference. */
class TuningTest {
  private static final Map<String, Family> FAMILIES =
      Map.of(
          "ips_clip", Family.IPS_CLIPPED,
          "dr_clip", Family.DR_CLIPPED,
          "switch_dr", Family.SWITCH_DR,
          "dr_os", Family.DR_SHRUNK,
          "sg_ips", Family.SG_IPS,
          "sg_dr", Family.SG_DR);

  @Test
  void everyCandidateAndChoiceOfSixFamilies() {
    JsonNode golden = Golden.json("ope_synthetic_expected.json").get("tuning");
    assertEquals(FAMILIES.size(), golden.size());
    FAMILIES.forEach(
        (name, family) -> {
          Tuning tuning = tuning(family, family.grid()).orElseThrow();
          assertCandidates(golden.get(name).get("candidates"), tuning);
          JsonNode selected = golden.get(name).get("selected");
          assertChoice(selected.get("mse_direct"), tuning.selected(Rule.DIRECT_MSE), name);
          assertChoice(selected.get("mse_ub"), tuning.selected(Rule.BOUNDED_MSE), name);
          assertChoice(selected.get("slope"), tuning.selected(Rule.SLOPE), name);
          assertEquals(family.unlimited(), tuning.unlimited().parameter(), 0);
          assertEquals(0, tuning.unlimited().estimatedBias(), 0);
        });
  }

  @Test
  void slopeStopsAtTheFirstThatDisagrees() {
    JsonNode golden = Golden.json("extra_expected.json");
    assertSlope(golden.get("slope_example"));
    assertSlope(golden.get("slope_example_rejecting"));
  }

  @Test
  void slopeSortsByWidthItself() {
    double[] values = {0.44, 0.60, 0.50, 0.55};
    double[] widths = {0.02, 0.12, 0.05, 0.08};
    assertEquals(0, Slope.select(values, widths));
  }

  @Test
  void quantilesOfTheWeightsJoinTheCuts() {
    assertArrayEquals(
        new double[] {Double.POSITIVE_INFINITY, 16, 9.5, 8, 4, 3.5, 2, 1, 0.5},
        Family.SWITCH_DR.grid(3.5, 9.5, 8),
        0);
    assertArrayEquals(new double[] {0, 0.01, 0.05, 0.1, 0.3}, Family.SG_DR.grid(3.5), 0);
  }

  @Test
  void familiesOfOnePositionLeaveSlatesAlone() {
    LoggedDecisions log = SimulatedLog.of(50, 2).columns(0.1, 0.2, 0.3, 0.4).build();
    DecisionColumns columns = log.underTarget(SimulatedLog.LIKE, log.targetWeights());
    assertTrue(
        Tuning.of(Family.DR_SHRUNK, Family.DR_SHRUNK.grid(), columns, log.units()).isEmpty());
    assertTrue(Tuning.of(Family.SG_IPS, Family.SG_IPS.grid(), columns, log.units()).isPresent());
  }

  @Test
  void oneUnitLeavesNothingToChooseBy() {
    LoggedDecisions log = BanditLog.tiny().logWithUnitsOf(8);
    DecisionColumns columns = log.underTarget(BanditLog.REWARD, log.targetWeights());
    assertTrue(Tuning.of(Family.SG_IPS, Family.SG_IPS.grid(), columns, log.units()).isEmpty());
  }

  private static Optional<Tuning> tuning(Family family, double[] grid) {
    LoggedDecisions log = BanditLog.synthetic().log();
    return Tuning.of(
        family, grid, log.underTarget(BanditLog.REWARD, log.targetWeights()), log.units());
  }

  private static void assertCandidates(JsonNode expected, Tuning tuning) {
    assertEquals(expected.size(), tuning.candidates().size());
    for (JsonNode each : expected) {
      double parameter = Double.parseDouble(each.get("lambda").asText());
      Candidate found =
          tuning.candidates().stream()
              .filter(candidate -> candidate.parameter() == parameter)
              .findFirst()
              .orElseThrow();
      assertClose(each.get("value"), found.value());
      assertClose(each.get("cnf_t_delta0.1"), found.halfWidth());
      assertClose(each.get("mse_direct"), found.meanSquaredError());
      assertClose(each.get("mse_ub"), found.boundedMeanSquaredError());
    }
  }

  private static void assertChoice(JsonNode expected, Candidate found, String name) {
    assertEquals(
        Double.parseDouble(expected.get("best_lambda").asText()), found.parameter(), 0, name);
    assertClose(expected.get("value"), found.value());
  }

  private static void assertSlope(JsonNode example) {
    JsonNode candidates = example.get("candidates_sorted_by_decreasing_cnf");
    double[] values = new double[candidates.size()];
    double[] widths = new double[candidates.size()];
    for (int at = 0; at < values.length; at++) {
      values[at] = candidates.get(at).get("value").doubleValue();
      widths[at] = candidates.get(at).get("cnf").doubleValue();
    }
    assertEquals(example.get("selected_index").intValue(), Slope.select(values, widths));
  }

  private static void assertClose(JsonNode expected, double found) {
    assertEquals(expected.doubleValue(), found, closed(expected.doubleValue()));
  }
}
