package io.bellwether.trainer.search;

import io.bellwether.policy.scoring.CounterRandom;
import java.util.List;

/** Trials whose outcome is known: what a draw is worth is a function of its step. */
final class Judged implements Trials {
  private final long seed;
  private int left;

  /**
   * @param most after so many trials the process is gone
   */
  Judged(long seed, int most) {
    this.seed = seed;
    this.left = most;
  }

  @Override
  public Trial run(Step step, Draw draw) {
    if (left-- == 0) {
      throw new IllegalStateException("killed");
    }
    return trial(seed, step, draw);
  }

  static Trial trial(long seed, Step step, Draw draw) {
    double value = CounterRandom.uniform(seed, 1, step.draw(), step.rung(), 0);
    double promise = CounterRandom.uniform(seed, 2, step.draw(), step.rung(), 0);
    boolean failed = promise > 0.95 && step.draw() >= 0;
    boolean breaks = promise < 0.3;
    return new Trial(
        step.draw(),
        step.rung(),
        draw.method(),
        draw.epochs(step.rung()),
        draw.batchSize(),
        failed ? Trial.Standing.FAILED : breaks ? Trial.Standing.BREAKS : Trial.Standing.KEEPS,
        failed ? null : value + 0.1,
        failed ? null : value,
        failed ? null : value + 0.2,
        breaks ? List.of("hate") : List.of(),
        failed ? "" : "v0123456789ab",
        failed ? "diverged" : "",
        1);
  }
}
