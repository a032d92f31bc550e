package io.bellwether.loadtest.evaluation.planted;

import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import io.bellwether.evaluation.support.ActionIndex;
import io.bellwether.evaluation.support.DecisionVectors;
import io.bellwether.evaluation.support.Support;
import io.bellwether.evaluation.support.SupportAccumulator;
import io.bellwether.loadtest.evaluation.synthetic.Choices;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * What scoring leaves of a log of single choices: its columns with the distance of the two
 * policies, and what all candidates' probabilities show.
 */
record ScoredChoices(Choices choices) {
  private static final double RARE = 0.001;
  private static final int DAYS = 10;

  LoggedDecisions.Builder columns() {
    return columns(1);
  }

  LoggedDecisions.Builder columns(int rowsPerSubject) {
    return choices
        .columns(rowsPerSubject)
        .divergence(choices.column(this::divergence))
        .unsupported(choices.column(row -> targetBelow(row, 0)))
        .thin(choices.column(row -> targetBelow(row, RARE)));
  }

  /** KL(target ‖ logging); infinite where the target shows what is never logged. */
  private double divergence(int row) {
    double nats = 0;
    for (int item = 0; item < choices.items(); item++) {
      double wanted = choices.target()[row][item];
      nats += wanted > 0 ? wanted * Math.log(wanted / choices.logging()[row][item]) : 0;
    }
    return Math.max(0, nats);
  }

  private double targetBelow(int row, double propensity) {
    double mass = 0;
    for (int item = 0; item < choices.items(); item++) {
      boolean rare = choices.logging()[row][item] < propensity || choices.logging()[row][item] == 0;
      mass += rare ? choices.target()[row][item] : 0;
    }
    return mass;
  }

  /** Over ten days of equal length. */
  Support support() {
    return support(row -> choices.item()[row], choices::propensity);
  }

  /** With what was logged as shown, and the propensity that was logged beside the vectors. */
  Support support(IntUnaryOperator shown, IntToDoubleFunction propensity) {
    SupportAccumulator sums =
        new SupportAccumulator(
            ActionIndex.of(
                IntStream.range(0, choices.items()).mapToObj(item -> "item " + item).toList()));
    DecisionVectors vectors = new DecisionVectors();
    for (int row = 0; row < choices.size(); row++) {
      vectors.begin(row, 0, row * DAYS / choices.size());
      for (int item = 0; item < choices.items(); item++) {
        vectors.candidate(item, choices.logging()[row][item], choices.target()[row][item]);
      }
      sums.add(vectors.shown(shown.applyAsInt(row), propensity.applyAsDouble(row)));
    }
    return sums.result(List.of("logger"));
  }
}
