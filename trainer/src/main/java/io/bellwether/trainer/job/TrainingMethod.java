package io.bellwether.trainer.job;

import io.bellwether.ingestion.surface.Surface;
import io.bellwether.trainer.algorithm.Algorithm;
import io.bellwether.trainer.algorithm.Algorithms;
import io.bellwether.trainer.algorithm.Promise;
import io.bellwether.trainer.data.RowEncoder;
import io.bellwether.trainer.data.Subjects;
import java.io.Serializable;
import java.util.List;

/**
 * How a policy is trained: an algorithm of the catalogue.
 *
 * @param word in manifests and on the command line
 */
public record TrainingMethod(String word) implements Serializable {

  private static final long serialVersionUID = 1;

  /** Imitates the logging policy: the baseline beside every learner. */
  public static final TrainingMethod BEHAVIOUR_CLONING = new TrainingMethod("behaviour-cloning");

  /** Maximises the objective and keeps the promises. */
  public static final TrainingMethod CONSTRAINED = new TrainingMethod("constrained-actor-critic");

  /**
   * @throws IllegalArgumentException naming all algorithms, if there is none of this word
   */
  public TrainingMethod {
    Algorithms.of(word);
  }

  /**
   * The method of this word, or of the short forms {@code bc} and {@code constrained}.
   *
   * @throws IllegalArgumentException naming all algorithms, if there is none of this word
   */
  public static TrainingMethod of(String word) {
    return switch (word) {
      case "bc" -> BEHAVIOUR_CLONING;
      case "constrained" -> CONSTRAINED;
      default -> new TrainingMethod(word);
    };
  }

  Algorithm algorithm(double discount, List<Promise> promises) {
    return Algorithms.of(word).factory().of(new Algorithms.Task(discount, promises));
  }

  /** Takes the decisions that the method can learn from. */
  RowEncoder encoder(Surface surface, Subjects subjects) {
    return Algorithms.of(word).imitates()
        ? RowEncoder.imitating(surface, subjects)
        : new RowEncoder(surface, subjects);
  }
}
