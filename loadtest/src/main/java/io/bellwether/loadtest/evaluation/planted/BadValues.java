package io.bellwether.loadtest.evaluation.planted;

import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import io.bellwether.evaluation.support.DecisionVectors;
import io.bellwether.loadtest.evaluation.synthetic.Choices;
import java.util.List;
import java.util.function.DoubleUnaryOperator;

/** Numbers that cannot be, and numbers that are not there. */
record BadValues(SoundLog log) {
  private static final int BROKEN_ROW = 17;
  private static final int MATURE = 50;

  List<PlantedFailure> all() {
    return List.of(
        propensity("a propensity of 0", "PROPENSITY_NON_POSITIVE", propensity -> 0),
        propensity("a logarithm for a propensity", "PROPENSITY_NON_POSITIVE", Math::log),
        propensity("a propensity above 1", "PROPENSITY_ABOVE_ONE", propensity -> 1.2),
        propensity(
            "a propensity that is no number", "PROPENSITY_NOT_FINITE", propensity -> Double.NaN),
        new PlantedFailure(
            "a target probability that is missing", "TARGET_NOT_DISTRIBUTION", this::noTarget),
        new PlantedFailure(
            "shown items that were no candidates", "ACTION_NOT_IN_CANDIDATES", this::noCandidate),
        new PlantedFailure("a reward that is missing", "REWARD_NOT_FINITE", this::noReward),
        new PlantedFailure("a segment without decisions", "TOO_FEW_ROWS", () -> few(0)),
        new PlantedFailure("one decision", "TOO_FEW_ROWS", () -> few(1)),
        new PlantedFailure("a log whose windows are mostly open", "IMMATURE_ROWS", this::immature));
  }

  private PlantedFailure propensity(String name, String diagnostic, DoubleUnaryOperator wrong) {
    return new PlantedFailure(
        name,
        diagnostic,
        () -> {
          double[] column = log.choices().column(log.choices()::propensity);
          column[BROKEN_ROW] = wrong.applyAsDouble(column[BROKEN_ROW]);
          return log.evaluated(log.choices().columns().logging(column));
        });
  }

  private Outcome noTarget() {
    Choices sound = log.choices();
    return log.evaluated(
        sound
            .columns()
            .target(
                sound.column(
                    row ->
                        row == BROKEN_ROW ? Double.NaN : sound.target()[row][sound.item()[row]])));
  }

  private Outcome noCandidate() {
    Choices sound = log.choices();
    ScoredChoices scored = new ScoredChoices(sound);
    return log.evaluated(
        scored.columns(),
        scored.support(
            row -> row % 10 == 0 ? DecisionVectors.NO_CANDIDATE : sound.item()[row],
            sound::propensity));
  }

  private Outcome noReward() {
    Choices sound = log.choices();
    double[] reward = sound.reward().clone();
    reward[BROKEN_ROW] = Double.NaN;
    return log.evaluated(
        sound.columns().signal(Choices.REWARD, LoggedDecisions.Signal.withoutModel(reward)));
  }

  private Outcome few(int decisions) {
    return log.evaluated(log.world().draw(decisions, 1, log.seed()).columns());
  }

  private Outcome immature() {
    ScoredChoices scored = new ScoredChoices(log.world().draw(MATURE, 1, log.seed()));
    return log.evaluated(
        scored.columns().excluded(new LoggedDecisions.Excluded(0, SoundLog.ROWS - MATURE, 0)),
        scored.support());
  }
}
