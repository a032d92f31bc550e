package io.bellwether.evaluation.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.evaluation.SimulatedLog;
import io.bellwether.evaluation.interval.EmpiricalBernsteinSequence;
import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** How often intervals contain a known truth, and how often gates are wrong. */
class CoverageIT {
  private static final double[] TARGET = {0.1, 0.2, 0.3, 0.4};
  private static final int LOGS = 600;
  private static final double MONTE_CARLO_ERROR = Math.sqrt(0.95 * 0.05 / LOGS);

  private final EvaluationPlan plan =
      EvaluationPlan.of(Objective.maximize(SimulatedLog.LIKE))
          .withRange(SimulatedLog.LIKE, Range.FLAG)
          .withBootstrap(0, 1);

  @Test
  void intervalsAtNinetyFivePercentContainTheTruthThatOften() {
    assertCoverage(1);
  }

  @Test
  void intervalsOfSlatesContainTheTruthThatOften() {
    assertCoverage(2);
  }

  @Test
  void aPolicyThatIsNoBetterPassesInAtMostOneLogOfTwenty() {
    int passed = 0;
    double[] noBetter = {0.3, 0.15, 0.3, 0.25};
    for (int log = 0; log < LOGS; log++) {
      LoggedDecisions columns = SimulatedLog.of(1_200, 1).withSeed(log).columns(noBetter).build();
      passed += OffPolicyReport.of(columns, plan).verdict().word().equals("pass") ? 1 : 0;
    }
    assertEquals(0.05, passed / (double) LOGS, 4 * MONTE_CARLO_ERROR);
  }

  @Test
  void aSequenceIsAlmostNeverAboveTheTruthAtAnyRow() {
    double truth = 0.36;
    int wrong = 0;
    for (int log = 0; log < LOGS; log++) {
      Random random = new Random(log);
      EmpiricalBernsteinSequence sequence = new EmpiricalBernsteinSequence(0.05);
      for (int row = 0; row < 1_000; row++) {
        // Weight 4 with chance 1/4, else 0, times a flag.
        double weight = random.nextDouble() < 0.25 ? 4 : 0;
        sequence.add(random.nextDouble() < truth ? weight : 0);
      }
      wrong += sequence.best() > truth ? 1 : 0;
    }
    assertTrue(wrong <= 0.05 * LOGS, () -> "the sequence was wrong too often");
  }

  private void assertCoverage(int positions) {
    SimulatedLog simulated = SimulatedLog.of(600, positions);
    double truth = simulated.trueLikes(TARGET);
    Map<String, Integer> hits = new HashMap<>();
    for (int log = 0; log < LOGS; log++) {
      LoggedDecisions columns = simulated.withSeed(1_000 + log).columns(TARGET).build();
      for (SignalEstimate each : OffPolicyReport.of(columns, plan).estimates()) {
        if (each.signal().equals(SimulatedLog.LIKE)
            && each.policy().equals("target")
            && each.interval() instanceof Bounds.Within within
            && within.interval().contains(truth)) {
          hits.merge(each.estimator(), 1, Integer::sum);
        }
      }
    }
    for (String exact : List.of("ips", "snips", "dr", "sndr")) {
      assertEquals(0.95, hits.getOrDefault(exact, 0) / (double) LOGS, 4 * MONTE_CARLO_ERROR, exact);
    }
    assertEquals(0, hits.getOrDefault("dm", 0), "the model knows half of the truth");
  }
}
