package io.bellwether.trainer.gate;

import io.bellwether.evaluation.slate.PlackettLuce;
import io.bellwether.evaluation.slate.PseudoInverseWeight;
import io.bellwether.evaluation.slate.SlateMoments;
import io.bellwether.evaluation.slate.SlotMarginals;
import java.util.Arrays;

/**
 * Weights of a slate that do not go position by position: exact, or not known. The pseudo-inverse
 * weight is known only where slates are few enough to be counted for every decision. Stateless.
 */
final class SlateWeights {

  /** With these, a weight costs well below a millisecond. */
  private static final long MOST_SLATES = 1000;

  private static final int WIDEST = 16;

  private SlateWeights() {}

  /**
   * The chance of each item at its position whatever stands before it, target / logging; NaN where
   * that is not known.
   *
   * @param target chances at the first position, {@code [candidates]}
   * @param logging the same
   */
  static double[] ofSlots(double[] target, double[] logging, int[] slate) {
    double[] weights = new double[slate.length];
    if (!canFill(target, slate.length) || !canFill(logging, slate.length)) {
      Arrays.fill(weights, Double.NaN);
      return weights;
    }
    double[] ofTarget = SlotMarginals.ofSlate(PlackettLuce.ofWeights(target, slate.length), slate);
    double[] ofLogging =
        SlotMarginals.ofSlate(PlackettLuce.ofWeights(logging, slate.length), slate);
    for (int position = 0; position < slate.length; position++) {
      weights[position] = ofTarget[position] / ofLogging[position];
    }
    return weights;
  }

  /** The pseudo-inverse weight; NaN where it is not known. */
  static double ofSlate(double[] target, double[] logging, int[] slate) {
    if (!canFill(target, slate.length)
        || !canFill(logging, slate.length)
        || slates(target.length, slate.length) > MOST_SLATES
        || target.length * slate.length > WIDEST) {
      return Double.NaN;
    }
    return PseudoInverseWeight.of(
            SlateMoments.of(PlackettLuce.ofWeights(logging, slate.length)),
            SlateMoments.of(PlackettLuce.ofWeights(target, slate.length)))
        .map(weight -> weight.of(slate))
        .orElse(Double.NaN);
  }

  /** Whether a policy gives a chance to as many items as there are positions. */
  private static boolean canFill(double[] chances, int positions) {
    return Arrays.stream(chances).filter(chance -> chance > 0).count() >= positions;
  }

  private static long slates(int items, int positions) {
    double count = 1;
    for (int position = 0; position < positions; position++) {
      count *= items - position;
    }
    return (long) count;
  }
}
