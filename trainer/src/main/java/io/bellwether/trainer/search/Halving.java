package io.bellwether.trainer.search;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Which step a search takes next. Nine draws at a time are trained a little; the best third of them
 * three times as long; and the best third of those three times as long again. A search that ends
 * early has therefore trained some policies to the end.
 *
 * <p>Source: Jamieson and Talwalkar, "Non-stochastic Best Arm Identification and Hyperparameter
 * Optimization", 2016; with epochs as the budget.
 */
final class Halving {

  private static final int BRACKET = 9;
  private static final int KEPT = 3;

  private Halving() {}

  /**
   * The next step: a function of what is finished, however that came to be; empty at the end.
   *
   * @param draws how many there are in all
   */
  static Optional<Step> next(int draws, Map<Step, Trial> finished) {
    for (int first = 0; first < draws; first += BRACKET) {
      List<Integer> left =
          IntStream.range(first, Math.min(draws, first + BRACKET)).boxed().toList();
      for (int rung = 0; rung < Step.RUNGS; rung++) {
        List<Trial> trained = new ArrayList<>();
        for (int draw : left) {
          Step step = new Step(draw, rung);
          Trial trial = finished.get(step);
          if (trial == null) {
            return Optional.of(step);
          }
          trained.add(trial);
        }
        left =
            trained.stream().sorted().limit(kept(left.size())).map(Trial::draw).sorted().toList();
      }
    }
    return Optional.empty();
  }

  /** How many steps there are in all. */
  static int steps(int draws) {
    int steps = 0;
    for (int first = 0; first < draws; first += BRACKET) {
      int left = Math.min(draws - first, BRACKET);
      for (int rung = 0; rung < Step.RUNGS; rung++) {
        steps += left;
        left = kept(left);
      }
    }
    return steps;
  }

  private static int kept(int draws) {
    return (draws + KEPT - 1) / KEPT;
  }
}
