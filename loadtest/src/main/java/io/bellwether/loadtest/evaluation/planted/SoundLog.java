package io.bellwether.loadtest.evaluation.planted;

import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import io.bellwether.evaluation.report.EvaluationPlan;
import io.bellwether.evaluation.report.InvalidDataException;
import io.bellwether.evaluation.report.Objective;
import io.bellwether.evaluation.report.OffPolicyReport;
import io.bellwether.evaluation.report.Range;
import io.bellwether.evaluation.support.Support;
import io.bellwether.loadtest.evaluation.synthetic.ChoiceWorld;
import io.bellwether.loadtest.evaluation.synthetic.Choices;
import java.util.Arrays;

/**
 * A log with nothing wrong in it, of a target that is better than the logging policy beyond doubt:
 * what failures are planted in. Immutable.
 */
final class SoundLog {
  static final int ROWS = 20_000;

  /** The target goes this far from the logging policy towards the world's own target. */
  private static final double DISTANCE = 0.5;

  private final long seed;
  private final ChoiceWorld world;
  private final Choices choices;
  private final EvaluationPlan plan;

  SoundLog(long seed) {
    this.seed = seed;
    ChoiceWorld standard = ChoiceWorld.standard();
    world = standard.withTarget(standard.mixed(DISTANCE));
    choices = world.draw(ROWS, 1, seed);
    plan =
        EvaluationPlan.of(Objective.maximize(Choices.REWARD))
            .withRange(Choices.REWARD, Range.FLAG)
            .withBootstrap(0, seed);
  }

  long seed() {
    return seed;
  }

  ChoiceWorld world() {
    return world;
  }

  Choices choices() {
    return choices;
  }

  Outcome outcome() {
    return evaluated(choices);
  }

  /** Both policies alike for every kind of subject. */
  Choices withPolicies(double[] logging, double[] target) {
    return world
        .withLogging(everywhere(logging))
        .withTarget(everywhere(target))
        .draw(ROWS, 1, seed);
  }

  /** The same chances for every kind of subject. */
  double[][] everywhere(double[] chances) {
    double[][] rows = new double[world.kinds().length][];
    Arrays.fill(rows, chances);
    return rows;
  }

  Outcome evaluated(Choices others) {
    ScoredChoices scored = new ScoredChoices(others);
    return evaluated(scored.columns(), scored.support());
  }

  /** Where nothing is known of the candidates that were not shown. */
  Outcome evaluated(LoggedDecisions.Builder columns) {
    return evaluated(columns, Support.EMPTY);
  }

  Outcome evaluated(LoggedDecisions.Builder columns, Support support) {
    try {
      return Outcome.of(OffPolicyReport.of(columns.build(), plan, support));
    } catch (InvalidDataException e) {
      return Outcome.of(e);
    }
  }
}
