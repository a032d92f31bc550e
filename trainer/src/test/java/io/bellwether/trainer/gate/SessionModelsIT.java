package io.bellwether.trainer.gate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.evaluation.episode.EpisodeEstimator;
import io.bellwether.evaluation.episode.EpisodeSteps;
import io.bellwether.evaluation.episode.ModelledEpisodes;
import io.bellwether.evaluation.offpolicy.Estimate;
import io.bellwether.evaluation.report.SessionValues;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.trainer.data.Findings;
import io.bellwether.trainer.data.RowEncoder;
import io.bellwether.trainer.data.Subjects;
import io.bellwether.trainer.data.SyntheticLog;
import io.bellwether.trainer.data.TrainingRow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class SessionModelsIT {

  private static final double DISCOUNT = 0.5;

  /** What two random positions of a decision are watched, with an equal share of the slate's. */
  private static final double WATCHED = 2 * 5.004 + 0.75;

  private final SyntheticLog log = new SyntheticLog();

  private List<EvaluatedDecision> decisions(int count) {
    List<EvaluatedDecision> decisions = new ArrayList<>();
    RowEncoder encoder = new RowEncoder(log.surface(), Subjects.all());
    for (Transition transition : log.transitions(0, count)) {
      List<TrainingRow> rows = new ArrayList<>();
      encoder.encode(transition, rows::add, new Findings());
      decisions.add(EvaluatedDecision.of(transition, rows));
    }
    return decisions;
  }

  private static List<double[]> uniform(List<EvaluatedDecision> decisions) {
    double[] chances = new double[5];
    Arrays.fill(chances, 0.2);
    return Collections.nCopies(decisions.size(), chances);
  }

  private SessionValues.Model model(List<EvaluatedDecision> decisions, List<double[]> target) {
    return new SessionModels(log.surface(), 500, 1, line -> {}).of(decisions, target, List.of());
  }

  private ModelledEpisodes fitted(List<EvaluatedDecision> decisions, List<double[]> target) {
    return ((SessionValues.Model.Fitted) model(decisions, target)).sample();
  }

  @Test
  void sessionsOfAnotherPolicyAreWorthWhatItWouldBring() {
    List<EvaluatedDecision> decisions = decisions(750);
    ModelledEpisodes sample = fitted(decisions, uniform(decisions));
    assertEquals(250, sample.count());
    assertTrue(sample.isFinite());
    EpisodeSteps steps = EpisodeSteps.ofTarget(sample, DISCOUNT);
    Estimate.Estimated robust =
        (Estimate.Estimated)
            EpisodeEstimator.WEIGHTED_DOUBLY_ROBUST
                .of(steps, sample.underTarget("watch"))
                .estimate(steps.units());
    // every other session was cut off after three steps: one row in six is followed by itself
    double goesOn = WATCHED / (1 - DISCOUNT * 5 / 6);
    double expected = WATCHED * (1 + 0.5 + 0.25) + 0.125 * goesOn / 2;
    assertEquals(expected, robust.value(), 4 * robust.standardError() + 0.02 * expected);
    double direct = EpisodeEstimator.DIRECT.of(steps, sample.underTarget("watch")).value();
    assertEquals(goesOn, direct, 0.08 * goesOn);
  }

  @Test
  void theLoggingPolicysOwnChancesAreWeightsOfOne() {
    List<EvaluatedDecision> decisions = decisions(450);
    List<double[]> logging = decisions.stream().map(EvaluatedDecision::logging).toList();
    ModelledEpisodes sample = fitted(decisions, logging);
    assertArrayEquals(sample.logging(), sample.target(), 1e-12);
    assertArrayEquals(sample.logging(), sample.baseline());
    EpisodeSteps target = EpisodeSteps.ofTarget(sample, DISCOUNT);
    EpisodeSteps baseline = EpisodeSteps.ofBaseline(sample, DISCOUNT);
    double difference =
        EpisodeEstimator.WEIGHTED_DOUBLY_ROBUST.of(target, sample.underTarget("watch")).value()
            - EpisodeEstimator.WEIGHTED_DOUBLY_ROBUST
                .of(baseline, sample.underBaseline("watch"))
                .value();
    assertEquals(0, difference, 0.05);
  }

  @Test
  void theSameSampleInAnotherOrderHasTheSameValues() {
    List<EvaluatedDecision> decisions = decisions(450);
    ModelledEpisodes once = fitted(decisions, uniform(decisions));
    Collections.reverse(decisions);
    ModelledEpisodes again = fitted(decisions, uniform(decisions));
    assertArrayEquals(once.unit(), again.unit());
    EpisodeSteps steps = EpisodeSteps.ofTarget(once, DISCOUNT);
    assertEquals(
        EpisodeEstimator.DIRECT.of(steps, once.underTarget("like")).value(),
        EpisodeEstimator.DIRECT.of(steps, again.underTarget("like")).value());
  }

  @Test
  void aHandfulOfSessionsTeachesNothing() {
    List<EvaluatedDecision> decisions = decisions(60);
    assertEquals(
        new SessionValues.Model.Missing("TOO_FEW_SESSIONS"), model(decisions, uniform(decisions)));
  }
}
