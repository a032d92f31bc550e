package io.bellwether.evaluation.tuning;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.evaluation.BanditLog;
import io.bellwether.evaluation.SimulatedLog;
import io.bellwether.evaluation.offpolicy.DecisionColumns;
import io.bellwether.evaluation.offpolicy.DirectMethod;
import io.bellwether.evaluation.offpolicy.DoublyRobust;
import io.bellwether.evaluation.offpolicy.Estimator;
import io.bellwether.evaluation.offpolicy.Ips;
import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import io.bellwether.evaluation.offpolicy.PseudoInverse;
import io.bellwether.evaluation.offpolicy.RejectionSplit;
import io.bellwether.evaluation.offpolicy.SelfNormalizedDoublyRobust;
import io.bellwether.evaluation.offpolicy.ShrunkDoublyRobust;
import io.bellwether.evaluation.offpolicy.Snips;
import io.bellwether.evaluation.offpolicy.SwitchDoublyRobust;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Ranking estimators on pseudo-evaluations. */
class EstimatorChoiceTest {
  private static final List<Estimator> ESTIMATORS =
      List.of(
          new DirectMethod(),
          new Ips(),
          new Snips(),
          new DoublyRobust(),
          new SelfNormalizedDoublyRobust());

  /** The simulated model knows half of every chance: the direct method is off by half. */
  @Test
  void aModelThatIsWrongRanksLast() {
    EstimatorChoice choice = EstimatorChoice.of(ESTIMATORS, slates(20_000, 2), 20, 5);
    assertEquals(5, choice.ranked().size());
    assertEquals(new DirectMethod(), choice.ranked().get(4).estimator());
    assertTrue(choice.selected().isPresent());
    assertEquals("", choice.reason());
    double model = choice.ranked().get(4).meanError();
    double truth = SimulatedLog.of(1, 2).trueLikes(0.1, 0.2, 0.3, 0.4);
    assertEquals(-truth / 2, model, truth / 10);
  }

  @Test
  void theFirstPartIsTheTargetPolicysAndTheRestsWeightsAreRight() {
    DecisionColumns columns = slates(200_000, 2);
    RejectionSplit split = RejectionSplit.fit(columns).orElseThrow();
    double truth = SimulatedLog.of(1, 2).trueLikes(0.1, 0.2, 0.3, 0.4);
    for (RejectionSplit.Trial trial :
        split.trials(List.of(new Ips(), new DoublyRobust()), columns, 20, 1)) {
      assertTrue(trial.defined());
      assertEquals(truth, mean(trial.truths()), 0.02);
      assertEquals(truth, mean(trial.values()), 0.02);
    }
  }

  @Test
  void aSplitIsRightForABanditLogTooAndItsMeanErrorIsSmallForUnbiasedEstimators() {
    EstimatorChoice choice = EstimatorChoice.of(ESTIMATORS, slates(50_000, 1), 40, 3);
    for (EstimatorChoice.Ranked ranked : choice.ranked()) {
      if (!(ranked.estimator() instanceof DirectMethod)) {
        assertEquals(0, ranked.meanError(), 0.015, ranked.estimator().name());
        assertTrue(ranked.meanSquaredError() < 1e-3);
        assertTrue(ranked.standardError() > 0);
      }
    }
  }

  @Test
  void oneSeedGivesOneRanking() {
    DecisionColumns columns = slates(5_000, 1);
    assertEquals(
        EstimatorChoice.of(ESTIMATORS, columns, 20, 9),
        EstimatorChoice.of(ESTIMATORS, columns, 20, 9));
    assertFalse(
        EstimatorChoice.of(ESTIMATORS, columns, 20, 9)
            .equals(EstimatorChoice.of(ESTIMATORS, columns, 20, 10)));
  }

  @Test
  void estimatorsThatDoNotSuitTheLogAreLeftOut() {
    List<Estimator> some =
        List.of(
            new PseudoInverse(), new ShrunkDoublyRobust(5), new SwitchDoublyRobust(5), new Ips());
    EstimatorChoice choice = EstimatorChoice.of(some, slates(5_000, 2), 20, 1);
    assertEquals(1, choice.ranked().size());
    assertEquals(new Ips(), choice.selected().orElseThrow());
  }

  @Test
  void aShortLogOrWildWeightsLeaveNothingToRank() {
    LoggedDecisions tiny = BanditLog.tiny().log();
    EstimatorChoice choice =
        EstimatorChoice.of(
            ESTIMATORS, tiny.underTarget(BanditLog.REWARD, tiny.targetWeights()), 20, 1);
    assertTrue(choice.ranked().isEmpty());
    assertTrue(choice.selected().isEmpty());
    assertEquals(EstimatorChoice.NO_SPLIT, choice.reason());
  }

  @Test
  void sixHundredRowsCanBeRanked() {
    LoggedDecisions log = BanditLog.synthetic().log();
    EstimatorChoice choice =
        EstimatorChoice.of(
            ESTIMATORS, log.underTarget(BanditLog.REWARD, log.targetWeights()), 50, 1);
    assertEquals(5, choice.ranked().size());
    assertTrue(choice.mismatch() <= 0.25);
    assertTrue(choice.share() * log.decisions() >= 50);
  }

  @Test
  void fewerThanTwentySplitsAreRefused() {
    assertThrows(
        IllegalArgumentException.class,
        () -> EstimatorChoice.of(ESTIMATORS, slates(1_000, 1), 19, 1));
  }

  private static DecisionColumns slates(int decisions, int positions) {
    LoggedDecisions log = SimulatedLog.of(decisions, positions).columns(0.1, 0.2, 0.3, 0.4).build();
    return log.underTarget(SimulatedLog.LIKE, log.targetWeights());
  }

  private static double mean(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return sum / values.length;
  }
}
