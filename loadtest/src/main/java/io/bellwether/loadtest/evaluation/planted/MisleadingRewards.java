package io.bellwether.loadtest.evaluation.planted;

import io.bellwether.loadtest.evaluation.synthetic.ChoiceWorld;
import io.bellwether.loadtest.evaluation.synthetic.Choices;
import java.util.Arrays;
import java.util.List;

/** Rewards, observed or predicted, that look like evidence. */
record MisleadingRewards(SoundLog log) {
  private static final double PRAISE = 0.95;
  private static final double BLAME = 0.05;
  private static final double DISTANCE = 0.4;

  List<PlantedFailure> all() {
    return List.of(
        new PlantedFailure("rewards of 0 only", "ZERO_VARIANCE", this::zeros),
        new PlantedFailure(
            "a reward model that praises a worse target",
            "bias of the reward model in standard errors",
            this::praise));
  }

  private Outcome zeros() {
    Choices sound = log.choices();
    return log.evaluated(
        new Choices(
            sound.item(),
            new double[sound.size()],
            sound.logging(),
            sound.target(),
            sound.prediction()));
  }

  /** The target shows what the subjects of its kind like least, and the model likes that best. */
  private Outcome praise() {
    ChoiceWorld world = log.world();
    double[][] model = new double[world.kinds().length][world.items()];
    for (int kind = 0; kind < model.length; kind++) {
      Arrays.fill(model[kind], BLAME);
      model[kind][world.leastLiked(kind)] = PRAISE;
    }
    return log.evaluated(
        world
            .withTarget(world.worsened(DISTANCE))
            .withModel(model)
            .draw(SoundLog.ROWS, 1, log.seed()));
  }
}
