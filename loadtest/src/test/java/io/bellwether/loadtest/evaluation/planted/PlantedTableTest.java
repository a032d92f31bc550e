package io.bellwether.loadtest.evaluation.planted;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlantedTableTest {
  private static final PlantedFailure CAUGHT =
      new PlantedFailure(
          "no overlap",
          "NO_OVERLAP",
          () -> new Outcome("not-enough-evidence", List.of("NO_OVERLAP")));

  private static final PlantedFailure MISSED =
      new PlantedFailure("no overlap", "NO_OVERLAP", () -> new Outcome("pass", List.of()));

  private static final PlantedFailure BY_ANOTHER_NAME =
      new PlantedFailure(
          "no overlap", "NO_OVERLAP", () -> new Outcome("fail", List.of("FEW_EVENTS")));

  @Test
  void aFailureThatPassesIsCounted() throws Exception {
    List<String> lines = new ArrayList<>();
    PlantedTable table = PlantedTable.of("pass", List.of(CAUGHT, MISSED, CAUGHT), lines::add);
    assertEquals(1, table.passed());
    assertEquals(1, table.unnamed());
    assertEquals(3, lines.size());
    assertTrue(table.results().get(0).isCaught());
    assertFalse(table.results().get(1).isCaught());
  }

  @Test
  void aFailureThatNobodyNamesIsCounted() throws Exception {
    PlantedTable table = PlantedTable.of("pass", List.of(BY_ANOTHER_NAME), line -> {});
    assertEquals(0, table.passed());
    assertEquals(1, table.unnamed());
    assertFalse(table.results().get(0).isCaught());
  }

  @Test
  void checksAreNamedByHowTheyBegin() {
    Outcome outcome = new Outcome("fail", List.of("effective sample size of target at position 0"));
    assertTrue(outcome.names("effective sample size"));
    assertFalse(outcome.names("sample size"));
  }

  @Test
  void withoutAFailureTheLogPasses() {
    Outcome sound = new SoundLog(11).outcome();
    assertEquals("pass", sound.verdict(), sound::toString);
  }

  @Test
  void everyFailureInColumnsIsCaughtByItsName() throws Exception {
    SoundLog log = new SoundLog(11);
    List<PlantedFailure> failures = new ArrayList<>();
    failures.addAll(new MissingSupport(log).all());
    failures.addAll(new WrongPropensities(log).all());
    failures.addAll(new RepeatedRows(log).all());
    failures.addAll(new BadValues(log).all());
    failures.addAll(new MisleadingRewards(log).all());
    PlantedTable table = PlantedTable.of("pass", failures, line -> {});
    assertEquals(List.of(), table.results().stream().filter(result -> !result.isCaught()).toList());
  }

  @Test
  void theLoggingPolicyOnItsOwnLogHasTheObservedMeanAndWeightsOfOne() {
    SelfEvaluation self = SelfEvaluation.of(new SoundLog(11));
    assertEquals(0, self.largestWeightError());
    assertEquals(0, self.largestDifference(), 1e-12);
  }
}
