package io.bellwether.evaluation.offpolicy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bellwether.evaluation.offpolicy.Estimate.ErrorKind;
import io.bellwether.evaluation.offpolicy.Estimate.Estimated;
import io.bellwether.evaluation.offpolicy.Estimate.Refused;
import io.bellwether.evaluation.offpolicy.Estimate.ValueOnly;
import io.bellwether.evaluation.offpolicy.LoggedDecisions.Signal;
import java.util.List;
import org.junit.jupiter.api.Test;

class StandardErrorTest {

  @Test
  void unitsWithOneDecisionEachHaveTheErrorOfRows() {
    assertEquals(
        new Estimated(2, Math.sqrt(90.0 / (10 * 9)), ErrorKind.ROW, 10, 10),
        StandardError.estimate(2, 90, 10, 10));
  }

  @Test
  void unitsWithSeveralDecisionsHaveTheErrorOfClusters() {
    assertEquals(
        new Estimated(2, Math.sqrt(5.0 / 4 * 80) / 10, ErrorKind.CLUSTER, 10, 5),
        StandardError.estimate(2, 80, 10, 5));
  }

  @Test
  void oneUnitHasAValueAndNoError() {
    assertEquals(new ValueOnly(2, "N_LT_2"), StandardError.estimate(2, 0, 1, 1));
    assertEquals(new ValueOnly(2, "ONE_UNIT"), StandardError.estimate(2, 0, 9, 1));
  }

  @Test
  void whatIsBeyondTheNumbersIsRefused() {
    Estimate refused = new Refused("NOT_FINITE");
    for (double value : List.of(Double.NaN, Double.POSITIVE_INFINITY)) {
      assertEquals(refused, StandardError.estimate(value, 1, 10, 10));
      assertEquals(refused, StandardError.estimate(2, value, 10, 10));
      assertEquals(refused, StandardError.estimate(value, 1, 1, 1));
    }
  }

  @Test
  void aNormaliserThatOverflowsTheGradientIsRefused() {
    LoggedDecisions log =
        LoggedDecisions.builder()
            .decisions(new int[] {0, 1}, new int[2], new long[] {0, 1})
            .logging(new double[] {1, 1})
            .target(new double[] {1e-200, 2e-200})
            .signal("reward", Signal.withoutModel(new double[] {1e120, -1e120}))
            .build();
    Influence influence =
        Influence.of(new Snips(), log.underTarget("reward", Weighting.PREFIX)).orElseThrow();
    assertEquals(new Refused("NOT_FINITE"), influence.estimate(log.units()));
  }
}
