package io.bellwether.loadtest.learning.bsim;

import io.bellwether.trainer.algorithm.Algorithm;
import io.bellwether.trainer.algorithm.TrainingPlan;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * One setting of one algorithm on the simulated tasks.
 *
 * @param name unique word, such as {@code two-stage-0.7}
 * @param group the algorithm; where a group has several settings, the one that does best on the
 *     validation sessions stands for it
 * @param algorithm over the signals of {@link SimulatedFeatures#SIGNALS}
 * @param plan what the algorithm changes in the common plan, such as its learning rate; never seed
 *     or steps
 * @param form in which the trained policy is served
 */
public record LearningMethod(
    String name,
    String group,
    Supplier<Algorithm> algorithm,
    UnaryOperator<TrainingPlan> plan,
    ServedForm form) {

  public LearningMethod {
    if (name.isBlank() || !name.matches("[a-z0-9.+-]+")) {
      throw new IllegalArgumentException(
          "a method's name has small letters, digits, dots, + and -, not '" + name + "'");
    }
  }

  /** The only setting of its group, by the common plan. */
  public static LearningMethod single(String name, Supplier<Algorithm> algorithm) {
    return setting(name, name, algorithm);
  }

  /** One of several settings of a group, by the common plan. */
  public static LearningMethod setting(String name, String group, Supplier<Algorithm> algorithm) {
    return new LearningMethod(name, group, algorithm, UnaryOperator.identity(), ServedForm.WHOLE);
  }

  /**
   * The same, served with fewer hidden units: an algorithm of its own.
   *
   * @param share of the units of each hidden layer that goes
   */
  public LearningMethod pruned(double share) {
    String pruned = name + "-pruned";
    return new LearningMethod(pruned, pruned, algorithm, plan, ServedForm.pruned(share));
  }
}
