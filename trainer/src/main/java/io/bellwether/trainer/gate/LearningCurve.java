package io.bellwether.trainer.gate;

import java.util.List;

/**
 * How a fold's reward model learned. Immutable.
 *
 * @param fold whose decisions it predicts, from 0 on; it has learned from the others
 * @param decisions that it learned from: all of the other folds', or a sample of them
 * @param points in the order of steps
 */
public record LearningCurve(int fold, long decisions, List<Point> points) {

  public LearningCurve {
    points = List.copyOf(points);
  }

  /**
   * A report of the learner.
   *
   * @param step steps done so far
   * @param loss mean squared error since the last report, in units of each signal's variance
   */
  public record Point(long step, double loss) {}
}
