package io.bellwether.loadtest.evaluation.planted;

import io.bellwether.evaluation.CompensatedSums;
import io.bellwether.evaluation.offpolicy.DecisionColumns;
import io.bellwether.evaluation.offpolicy.DoublyRobust;
import io.bellwether.evaluation.offpolicy.Estimator;
import io.bellwether.evaluation.offpolicy.Influence;
import io.bellwether.evaluation.offpolicy.Ips;
import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import io.bellwether.evaluation.offpolicy.SelfNormalizedDoublyRobust;
import io.bellwether.evaluation.offpolicy.Snips;
import io.bellwether.evaluation.offpolicy.Weighting;
import io.bellwether.loadtest.evaluation.synthetic.Choices;
import java.util.List;

/**
 * The logging policy evaluated on its own log, with a reward model that says the same of
 * everything: every estimator has to give the mean that was observed.
 *
 * @param mean the log's mean reward
 * @param largestDifference of any estimator to that mean
 * @param largestWeightError largest distance of a weight from 1
 */
public record SelfEvaluation(
    long decisions, double mean, double largestDifference, double largestWeightError) {
  private static final List<Estimator> ESTIMATORS =
      List.of(new Ips(), new Snips(), new DoublyRobust(), new SelfNormalizedDoublyRobust());

  private static final double GUESS = 0.25;

  static SelfEvaluation of(SoundLog sound) {
    Choices choices = sound.choices();
    Choices own = choices.withTarget(choices.logging());
    double[] guess = own.column(row -> GUESS);
    LoggedDecisions log =
        own.columns()
            .signal(Choices.REWARD, LoggedDecisions.Signal.modelled(own.reward(), guess, guess))
            .build();
    DecisionColumns columns = log.underTarget(Choices.REWARD, Weighting.PREFIX);
    double mean = CompensatedSums.of(own.reward()) / own.size();
    double difference = 0;
    for (Estimator estimator : ESTIMATORS) {
      double value = Influence.of(estimator, columns).orElseThrow().value();
      difference = Math.max(difference, Math.abs(value - mean));
    }
    double weightError = 0;
    for (int decision = 0; decision < log.decisions(); decision++) {
      weightError = Math.max(weightError, Math.abs(columns.weight(decision, 0) - 1));
    }
    return new SelfEvaluation(log.decisions(), mean, difference, weightError);
  }

  /** Evaluates a log drawn by seed. */
  public static SelfEvaluation of(long seed) {
    return of(new SoundLog(seed));
  }
}
