package io.bellwether.evaluation.offpolicy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.evaluation.offpolicy.LoggedDecisions.Signal;
import java.nio.IntBuffer;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two slates, of two places and of one. */
class LoggedDecisionsTest {

  @Test
  void rowsHoldEveryWeightThatIsKnown() {
    LoggedDecisions log =
        columns()
            .clusterWeight(new double[] {2, 6, 5})
            .slotWeight(new double[] {0.5, 0.25, 4})
            .slateWeight(new double[] {3, 7})
            .build();
    DecisionColumns target = log.underTarget("like", Weighting.PREFIX);
    DecisionRow row = target.newRow();
    target.read(0, row);
    assertArrayEquals(new double[] {2, 6}, row.clusterWeight);
    assertArrayEquals(new double[] {0.5, 0.25}, row.slotWeight);
    assertEquals(3, row.slateWeight);
    target.read(1, row);
    assertArrayEquals(new double[] {5, 5}, row.clusterWeight, "a short slate keeps its weight");
    assertArrayEquals(new double[] {4, 1}, row.slotWeight);
    assertEquals(7, row.slateWeight);
    assertTrue(target.hasClusterWeights() && target.hasSlotWeights() && target.hasSlateWeights());
  }

  @Test
  void theBaselineHasNoneOfTheTargetsWeights() {
    LoggedDecisions log =
        columns()
            .baseline(new double[] {0.5, 0.5, 0.5})
            .clusterWeight(new double[] {2, 6, 5})
            .build();
    DecisionColumns baseline = log.underBaseline("like", log.baselineWeights());
    assertFalse(baseline.hasClusterWeights());
    DecisionRow row = baseline.newRow();
    baseline.read(0, row);
    assertArrayEquals(new double[] {1, 1}, row.clusterWeight);
  }

  @Test
  void balancedWeightsStandInForThoseOfTheLogger() {
    LoggedDecisions log = columns().balancedWeight(new double[] {0.5, 0.75, 2}).build();
    DecisionColumns balanced = log.underTarget("like", Weighting.BALANCED);
    DecisionRow row = balanced.newRow();
    balanced.read(0, row);
    assertArrayEquals(new double[] {0.5, 0.75}, row.weight);
    assertArrayEquals(new double[] {1, 0.5}, row.weightBefore);
    assertEquals(2, balanced.weight(1, 1));
    assertThrows(
        IllegalArgumentException.class,
        () -> columns().build().underTarget("like", Weighting.BALANCED));
  }

  @Test
  void decisionsAreToldApartByLogger() {
    LoggedDecisions log =
        columns()
            .loggers(List.of("v1", "v2"), new int[] {1, 0})
            .timeMicros(new long[] {5, 9})
            .build();
    DecisionColumns ofSecond = log.underTarget("like", Weighting.PREFIX).ofLogger(1);
    assertEquals(1, ofSecond.decisions());
    assertTrue(ofSecond.holds(0));
    assertFalse(ofSecond.holds(1));
    assertEquals(9, log.timeMicros(1));
  }

  @Test
  void aViewOfAViewHoldsWhatBothHold() {
    LoggedDecisions log = columns().segment("country", countries(0, 1)).build();
    DecisionColumns all = log.underTarget("like", Weighting.PREFIX);
    DecisionColumns dutch = all.ofSegment("country", "NL");
    assertEquals(1, dutch.decisions());
    assertEquals(0, dutch.where(decision -> decision == 1).decisions());
    assertEquals(3, Influence.of(new LoggingMean(), dutch.atPosition(1)).orElseThrow().value());
  }

  @Test
  void whatTheLogHasNotIsRefusedByName() {
    LoggedDecisions log = columns().segment("country", countries(0, Labels.UNKNOWN)).build();
    DecisionColumns like = log.underTarget("like", Weighting.PREFIX);
    assertRefused("no segments by 'age'; the log has [country]", () -> like.ofSegment("age", "7"));
    assertRefused("no label 'FR'; there are [NL, BE]", () -> like.ofSegment("country", "FR"));
    assertRefused("no position 2 in slates of 2", () -> like.atPosition(2));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"clusterWeight", "slotWeight", "balancedWeight", "slateWeight", "timeMicros"})
  void columnsOfTheWrongLengthAreRefusedByName(String column) {
    UnaryOperator<LoggedDecisions.Builder> add =
        switch (column) {
          case "clusterWeight" -> builder -> builder.clusterWeight(new double[2]);
          case "slotWeight" -> builder -> builder.slotWeight(new double[2]);
          case "balancedWeight" -> builder -> builder.balancedWeight(new double[2]);
          case "slateWeight" -> builder -> builder.slateWeight(new double[3]);
          default -> builder -> builder.timeMicros(new long[3]);
        };
    LoggedDecisions.Builder columns = add.apply(columns());
    IllegalArgumentException refusal = assertThrows(IllegalArgumentException.class, columns::build);
    assertTrue(String.valueOf(refusal.getMessage()).startsWith("column '" + column + "' has "));
  }

  private static void assertRefused(String message, Runnable action) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, action::run).getMessage());
  }

  private static Labels countries(int first, int second) {
    return new Labels(List.of("NL", "BE"), IntBuffer.wrap(new int[] {first, second}));
  }

  private static LoggedDecisions.Builder columns() {
    return LoggedDecisions.builder()
        .decisions(new int[] {0, 0, 1}, new int[] {0, 1, 0}, new long[] {4, 4, 9})
        .logging(new double[] {0.5, 0.5, 0.5})
        .target(new double[] {0.5, 0.25, 1})
        .signal("like", Signal.withoutModel(new double[] {1, 3, 5}));
  }
}
