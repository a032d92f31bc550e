package io.bellwether.trainer.data;

import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Grouping;
import io.bellwether.ingestion.event.Pin;
import io.bellwether.ingestion.event.Placement;
import io.bellwether.ingestion.event.RuleTrace;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.feature.Floats;
import io.bellwether.policy.scoring.Exploration;
import io.bellwether.policy.scoring.MixedWeights;
import io.bellwether.policy.scoring.Slate;
import io.bellwether.policy.scoring.SlateSampler;
import java.util.ArrayList;
import java.util.List;

/** {@link SyntheticLog} under rules of every kind, which differ from decision to decision. */
public final class RuledLog {

  private final SyntheticLog log = new SyntheticLog(3);

  /** The log without rules. */
  public SyntheticLog plain() {
    return log;
  }

  /** A decision of three of six items under rules. */
  public Transition transition(int number) {
    Transition transition = log.transition(number);
    Decision decision = transition.getDecision();
    List<Pin> pins = number % 3 == 0 ? List.of(new Pin(1, number % 6)) : List.of();
    decision.setRules(
        new RuleTrace(
            pins,
            List.of(
                new Grouping("topic", List.of(0, 0, 0, 1, 1, -1), 2, number % 2, List.of(0, 1)),
                new Grouping("new", List.of(0, -1, 0, -1, 0, -1), 2, 0, List.of())),
            List.of(),
            List.of()));
    MixedWeights weights =
        MixedWeights.of(
            Floats.of(decision.getLogits()),
            Exploration.asUsed(decision.getTemperature(), decision.getUniform()));
    Slate slate =
        new SlateSampler().sample(weights, LoggedRules.of(decision), decision.getSeed(), 3);
    List<Placement> placements = new ArrayList<>();
    for (int position = 0; position < slate.size(); position++) {
      int candidate = slate.candidates()[position];
      placements.add(new Placement(candidate, "item-" + candidate, slate.propensities()[position]));
    }
    decision.setSlate(placements);
    return transition;
  }
}
