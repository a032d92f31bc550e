package io.bellwether.trainer.algorithm;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The algorithms by the words that name them on command lines, in manifests and in benchmarks, each
 * with its defaults. Whoever adds an algorithm writes its class and one line here.
 */
public final class Algorithms {

  /**
   * What a surface, or a benchmark's task, asks of an algorithm.
   *
   * @param discount weight of the next decision, in [0, 1)
   * @param promises what has to be kept; algorithms without constraints leave them aside
   */
  public record Task(double discount, List<Promise> promises) {
    public Task {
      promises = List.copyOf(promises);
    }
  }

  /** Sets an algorithm to a task. */
  public interface Factory {
    Algorithm of(Task task);
  }

  /**
   * An algorithm.
   *
   * @param word its name
   * @param summary what it does, in a line
   * @param imitates whether it only imitates the log, and can do so from decisions without
   *     propensities
   */
  public record Entry(String word, String summary, boolean imitates, Factory factory) {}

  private static final List<Entry> ALL =
      List.of(
          new Entry(
              "behaviour-cloning",
              "imitates the logging policy: the baseline beside every learner",
              true,
              task -> BehaviourCloning.DEFAULT),
          new Entry(
              "constrained-actor-critic",
              "weighs logged actions by in-sample advantages, and prices promises",
              false,
              task ->
                  new ConstrainedActorCritic(
                      ConstrainedActorCritic.Config.DEFAULT
                          .withDiscount(task.discount())
                          .withObjectiveExpectile(0.5)
                          .withInverseTemperature(2),
                      task.promises(),
                      MultiplierConfig.DEFAULT.withEvery(25).withMargin(3))));

  private Algorithms() {}

  /** All of them, in the order in which reports show them. */
  public static List<Entry> all() {
    return ALL;
  }

  /**
   * The algorithm of this word.
   *
   * @throws IllegalArgumentException naming all words, if there is none
   */
  public static Entry of(String word) {
    return ALL.stream()
        .filter(entry -> entry.word().equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "'%s' is no way to train, expected one of %s"
                        .formatted(
                            word,
                            ALL.stream().map(Entry::word).collect(Collectors.joining(", ")))));
  }
}
