package io.bellwether.loadtest.learning.bsim;

import io.bellwether.trainer.algorithm.Algorithm;
import io.bellwether.trainer.algorithm.Algorithms;
import io.bellwether.trainer.algorithm.Promise;
import io.bellwether.trainer.algorithm.TwoStageActorCritic;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What is compared on the simulated tasks: every algorithm of the trainer by its word with its
 * defaults, and further settings of those whose robustness is asked about.
 */
public final class LearningMethods {
  /** A session goes on for about twenty decisions, and half of its worth lies beyond the tenth. */
  public static final double DISCOUNT = 0.97;

  /** Whose robustness is asked about, and a form of it with fewer units. */
  private static final String TWO_STAGE = "two-stage";

  /** Λ, each by itself: how near the policy stays to those that are good for promises. */
  private static final double[] SIZES = {1.5, 0.7, 0.35};

  private static final double PRUNED_SHARE = 0.8;

  private LearningMethods() {}

  /** All of them, in the order in which results show them. */
  public static List<LearningMethod> all() {
    Algorithms.Task task = new Algorithms.Task(DISCOUNT, SimulatedPromises.all());
    List<LearningMethod> methods = new ArrayList<>();
    for (Algorithms.Entry entry : Algorithms.all()) {
      methods.add(LearningMethod.single(entry.word(), () -> entry.factory().of(task)));
    }
    for (double size : SIZES) {
      methods.add(
          LearningMethod.setting(
              TWO_STAGE + "-" + size, TWO_STAGE, () -> twoStage(size, task.promises())));
    }
    methods.stream()
        .filter(method -> method.name().equals(TWO_STAGE))
        .findFirst()
        .ifPresent(method -> methods.add(method.pruned(PRUNED_SHARE)));
    return List.copyOf(methods);
  }

  private static Algorithm twoStage(double size, List<Promise> promises) {
    return new TwoStageActorCritic(
        TwoStageActorCritic.Config.DEFAULT.withDiscount(DISCOUNT).withSizes(List.of(size)),
        promises);
  }

  /**
   * Those of these names; a group's name stands for all of its settings.
   *
   * @throws IllegalArgumentException naming all that there are, for a name of none
   */
  public static List<LearningMethod> named(List<String> names) {
    List<LearningMethod> all = all();
    for (String name : names) {
      if (all.stream().noneMatch(method -> isNamed(method, name))) {
        throw new IllegalArgumentException(
            "'%s' is no algorithm of the benchmark; there are %s"
                .formatted(
                    name,
                    all.stream().map(LearningMethod::name).collect(Collectors.joining(", "))));
      }
    }
    return all.stream()
        .filter(method -> names.stream().anyMatch(name -> isNamed(method, name)))
        .toList();
  }

  private static boolean isNamed(LearningMethod method, String name) {
    return method.name().equals(name) || method.group().equals(name);
  }
}
