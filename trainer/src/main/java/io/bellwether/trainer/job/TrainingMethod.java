package io.bellwether.trainer.job;

import io.bellwether.ingestion.surface.Surface;
import io.bellwether.trainer.algorithm.Algorithm;
import io.bellwether.trainer.algorithm.BehaviourCloning;
import io.bellwether.trainer.algorithm.ConstrainedActorCritic;
import io.bellwether.trainer.algorithm.MultiplierConfig;
import io.bellwether.trainer.algorithm.Promise;
import io.bellwether.trainer.data.RowEncoder;
import io.bellwether.trainer.data.Subjects;
import java.util.List;

/** How a policy is trained. */
public enum TrainingMethod {

  /** Imitates the logging policy: the baseline beside every learner. */
  BEHAVIOUR_CLONING("behaviour-cloning") {
    @Override
    Algorithm algorithm(double discount, List<Promise> promises) {
      return BehaviourCloning.DEFAULT;
    }

    @Override
    RowEncoder encoder(Surface surface, Subjects subjects) {
      return RowEncoder.imitating(surface, subjects);
    }
  },

  /** Maximises the objective and keeps the promises. */
  CONSTRAINED("constrained-actor-critic") {
    @Override
    Algorithm algorithm(double discount, List<Promise> promises) {
      return new ConstrainedActorCritic(
          ConstrainedActorCritic.Config.DEFAULT
              .withDiscount(discount)
              .withObjectiveExpectile(0.5)
              .withInverseTemperature(2),
          promises,
          MultiplierConfig.DEFAULT.withEvery(25).withMargin(3));
    }
  };

  private final String word;

  TrainingMethod(String word) {
    this.word = word;
  }

  abstract Algorithm algorithm(double discount, List<Promise> promises);

  /** Takes the decisions that the method can learn from. */
  RowEncoder encoder(Surface surface, Subjects subjects) {
    return new RowEncoder(surface, subjects);
  }

  /** The word in manifests and on the command line. */
  public String word() {
    return word;
  }

  /** The method of this word, or of its short form {@code bc} or {@code constrained}. */
  public static TrainingMethod of(String word) {
    return switch (word) {
      case "bc", "behaviour-cloning" -> BEHAVIOUR_CLONING;
      case "constrained", "constrained-actor-critic" -> CONSTRAINED;
      default ->
          throw new IllegalArgumentException(
              "'" + word + "' is no way to train, expected bc or constrained");
    };
  }
}
