package io.bellwether.loadtest.evaluation.coverage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.evaluation.interval.Interval;
import io.bellwether.evaluation.offpolicy.Estimate;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CoverageTableTest {

  /** Holds the truth in nine logs of ten, and has no interval in every twentieth. */
  private record NineOfTen() implements CoverageStudy {
    @Override
    public String name() {
      return "nine of ten";
    }

    @Override
    public int decisions() {
      return 7;
    }

    @Override
    public void measure(long seed, IntervalTally tally) {
      Optional<Interval> interval =
          seed % 20 == 5 ? Optional.empty() : Optional.of(Interval.normal(0, 1, 0.95));
      tally.add("ips", "normal", Expectation.EXACT, interval, seed % 10 == 0 ? 3 : 0);
      tally.add("ips", "lower", Expectation.AT_LEAST, true);
    }
  }

  @Test
  void logsAreCountedOnceWhateverThePartsTheyAreCountedIn() {
    List<CoverageCell> cells = CoverageTable.measure(new NineOfTen(), 200, 40);
    assertEquals(2, cells.size());
    CoverageCell exact = cells.get(0);
    assertEquals(190, exact.logs());
    assertEquals(170, exact.covered());
    assertEquals(10, exact.absent());
    assertEquals(0.85, exact.share(), 1e-15);
    assertFalse(exact.isMet());
    assertTrue(cells.get(1).isMet());
    assertEquals(200, cells.get(1).covered());
  }

  @Test
  void onlyIntervalsThatAreMeantToBeExactAreInTheExtremes() {
    CoverageTable table =
        new CoverageTable(
            1000,
            List.of(
                cell(Expectation.EXACT, 940),
                cell(Expectation.EXACT, 961),
                cell(Expectation.AT_LEAST, 1000),
                cell(Expectation.MISSES, 0),
                cell(Expectation.TOO_FEW, 800)));
    assertEquals(0.94, table.least());
    assertEquals(0.961, table.most());
    assertEquals(3, table.others().size());
    assertTrue(table.cells().stream().allMatch(CoverageCell::isMet));
  }

  @Test
  void aBoundThatMissesTooOftenIsNotMet() {
    assertTrue(cell(Expectation.AT_LEAST, 945).isMet());
    assertFalse(cell(Expectation.AT_LEAST, 920).isMet());
    assertFalse(cell(Expectation.EXACT, 929).isMet());
    assertFalse(cell(Expectation.EXACT, 971).isMet());
  }

  @Test
  void aRefusedEstimateHasNoInterval() {
    IntervalTally tally = new IntervalTally();
    tally.add("snips", Expectation.EXACT, new Estimate.Refused("NO_OVERLAP"), 0);
    CoverageCell cell = tally.cells("study", 1).get(0);
    assertEquals(1, cell.absent());
    assertEquals(0, cell.share());
  }

  @Test
  void theStudiesOfAFewLogsHoldTheTruthMostly() {
    CoverageTable table = CoverageTable.of(8, 2_000, 3, line -> {});
    assertTrue(table.exact().size() > 60, () -> table.exact().size() + " intervals");
    double mean = table.exact().stream().mapToDouble(CoverageCell::share).average().orElseThrow();
    assertTrue(mean > 0.85, () -> "covered " + mean);
  }

  private static CoverageCell cell(Expectation expectation, long covered) {
    return new CoverageCell("study", 500, "ips", "normal", expectation, 1000, covered, 0);
  }
}
