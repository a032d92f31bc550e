package io.bellwether.evaluation.episode;

import java.nio.DoubleBuffer;

/**
 * What a model says about one signal of logged episodes under the policy that is evaluated, by a
 * model that has not seen the episode's subject. The columns are not copied and must not change
 * afterwards.
 *
 * @param prediction Q̂(s, a) per row: discounted amount from the row on if its logged item is
 *     placed and the policy goes on
 * @param direct V̂(s) per row: the same if the policy chooses the item too, Σ over candidates of
 *     its chance times Q̂
 * @param beyond per episode, what the model expects after its last step, undiscounted: 0 where it
 *     ended by itself
 */
@SuppressWarnings("ArrayRecordComponent") // columns are shared, not compared
public record StepValues(DoubleBuffer prediction, DoubleBuffer direct, double[] beyond) {

  /** Of a signal without a model. */
  public static final StepValues NONE = of(new double[0], new double[0], new double[0]);

  public StepValues {
    if (prediction.limit() != direct.limit()) {
      throw new IllegalArgumentException(
          "%d predictions and %d state values".formatted(prediction.limit(), direct.limit()));
    }
  }

  public static StepValues of(double[] prediction, double[] direct, double[] beyond) {
    return new StepValues(DoubleBuffer.wrap(prediction), DoubleBuffer.wrap(direct), beyond);
  }

  public boolean isEmpty() {
    return prediction.limit() == 0;
  }

  /** Whether every number is finite. */
  public boolean isFinite() {
    for (int row = 0; row < prediction.limit(); row++) {
      if (!Double.isFinite(prediction.get(row)) || !Double.isFinite(direct.get(row))) {
        return false;
      }
    }
    for (double value : beyond) {
      if (!Double.isFinite(value)) {
        return false;
      }
    }
    return true;
  }
}
