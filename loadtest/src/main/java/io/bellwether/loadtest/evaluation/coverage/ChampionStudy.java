package io.bellwether.loadtest.evaluation.coverage;

import io.bellwether.evaluation.offpolicy.DoublyRobust;
import io.bellwether.evaluation.offpolicy.Estimator;
import io.bellwether.evaluation.offpolicy.Influence;
import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import io.bellwether.evaluation.offpolicy.SelfNormalizedDoublyRobust;
import io.bellwether.evaluation.offpolicy.Snips;
import io.bellwether.evaluation.offpolicy.Weighting;
import io.bellwether.loadtest.evaluation.synthetic.ChoiceWorld;
import io.bellwether.loadtest.evaluation.synthetic.Choices;
import java.util.List;

/** The difference to a champion who is neither the target nor the logging policy. */
record ChampionStudy(int decisions, ChoiceWorld world) implements CoverageStudy {
  private static final double SHARE = 0.3;

  static ChampionStudy of(int decisions) {
    return new ChampionStudy(decisions, ChoiceWorld.standard());
  }

  @Override
  public String name() {
    return "one item, against a champion";
  }

  @Override
  public void measure(long seed, IntervalTally tally) {
    double[][] champion = world.mixed(SHARE);
    Choices target = world.draw(decisions, 1, seed);
    Choices same = world.withTarget(champion).draw(decisions, 1, seed);
    LoggedDecisions log =
        target
            .columns()
            .baseline(same.column(row -> same.target()[row][same.item()[row]]))
            .signal(
                Choices.REWARD,
                new LoggedDecisions.Signal(
                    target.reward(),
                    target.column(row -> target.prediction()[row][target.item()[row]]),
                    target.column(target::direct),
                    same.column(same::direct)))
            .build();
    LogValues ofTarget =
        new LogValues(log.underTarget(Choices.REWARD, Weighting.PREFIX), log.units(), tally);
    double truth = world.targetValue() - world.value(champion);
    for (Estimator estimator :
        List.of(new Snips(), new DoublyRobust(), new SelfNormalizedDoublyRobust())) {
      ofTarget.difference(
          estimator.name() + " − champion",
          truth,
          ofTarget.influence(estimator),
          Influence.of(estimator, log.underBaseline(Choices.REWARD, log.baselineWeights())));
    }
  }
}
