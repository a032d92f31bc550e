package io.bellwether.evaluation.episode;

import java.nio.DoubleBuffer;

/**
 * One signal of logged episodes.
 *
 * @param reward per row, its own observed amount; not copied, must not change afterwards
 * @param values what a model says about it; {@link StepValues#NONE} without one
 */
public record StepSignal(DoubleBuffer reward, StepValues values) {

  public StepSignal {
    if (!values.isEmpty() && values.prediction().limit() != reward.limit()) {
      throw new IllegalArgumentException(
          "%d predictions of %d rows".formatted(values.prediction().limit(), reward.limit()));
    }
  }

  public static StepSignal of(double[] reward, StepValues values) {
    return new StepSignal(DoubleBuffer.wrap(reward), values);
  }

  /** The same amounts with another model. */
  public StepSignal with(StepValues other) {
    return new StepSignal(reward, other);
  }

  public boolean hasModel() {
    return !values.isEmpty();
  }
}
