package io.bellwether.loadtest.evaluation.coverage;

import io.bellwether.evaluation.offpolicy.EmbeddingRatio;
import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import io.bellwether.evaluation.offpolicy.Mips;
import io.bellwether.evaluation.offpolicy.OffCem;
import io.bellwether.evaluation.offpolicy.SelfNormalizedMips;
import io.bellwether.evaluation.offpolicy.Weighting;
import io.bellwether.loadtest.evaluation.synthetic.ChoiceWorld;
import io.bellwether.loadtest.evaluation.synthetic.Choices;
import java.util.List;

/** Items whose cluster carries all of their effect, weighed by cluster. */
@SuppressWarnings("ArrayRecordComponent") // carried, not compared
record ClusterStudy(int decisions, ChoiceWorld world, int[] clusterOfItem)
    implements CoverageStudy {

  static ClusterStudy of(int decisions) {
    int[] clusters = {0, 0, 1, 1};
    return new ClusterStudy(decisions, ChoiceWorld.standard().clustered(clusters), clusters);
  }

  @Override
  public String name() {
    return "clusters of items";
  }

  @Override
  public void measure(long seed, IntervalTally tally) {
    Choices choices = world.draw(decisions, 1, seed);
    EmbeddingRatio ratio = EmbeddingRatio.ofClusters(clusterOfItem);
    LoggedDecisions log =
        choices
            .columns()
            .clusterWeight(
                choices.column(
                    row ->
                        ratio
                            .of(
                                choices.target()[row],
                                choices.logging()[row],
                                clusterOfItem[choices.item()[row]])
                            .orElseThrow()))
            .build();
    new LogValues(log.underTarget(Choices.REWARD, Weighting.PREFIX), log.units(), tally)
        .student(
            Expectation.EXACT,
            world.targetValue(),
            List.of(new Mips(), new SelfNormalizedMips(), new OffCem()));
  }
}
