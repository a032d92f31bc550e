package io.bellwether.trainer.gate;

import java.util.Arrays;

/**
 * How a policy and the logging policy would have filled the positions of one decision: at each, a
 * candidate's chance at the first position over the chances of all that are left. Reused from
 * decision to decision; confined to one thread.
 */
final class RowChances {

  /** Chances whose sum differs from 1 by more do not do so by rounding; they are used as given. */
  private static final double ROUNDING = 1e-9;

  /** Below it a candidate counts as rarely logged. */
  private static final double THIN = 1e-3;

  private double[] left = new double[64];

  /**
   * The chance of the placed item at each position given the earlier ones.
   *
   * @param chances at the first position, {@code [candidates]}
   */
  double[] ofSlate(double[] chances, int[] slate) {
    leftBefore(chances, slate);
    double[] result = new double[slate.length];
    for (int position = 0; position < slate.length; position++) {
      result[position] = chances[slate[position]] / left[position];
    }
    return result;
  }

  /**
   * The mean of a value per candidate under the policy, at each position: over the candidates that
   * are left there.
   */
  double[] means(double[] chances, int[] slate, double[] values) {
    leftBefore(chances, slate);
    double[] result = new double[slate.length];
    boolean[] placed = new boolean[chances.length];
    for (int position = 0; position < slate.length; position++) {
      double sum = 0;
      for (int i = 0; i < chances.length; i++) {
        if (!placed[i]) {
          sum += chances[i] * values[i];
        }
      }
      result[position] = sum / left[position];
      placed[slate[position]] = true;
    }
    return result;
  }

  /**
   * The product over the positions up to each of the chance, target / logging, of any candidate
   * that is like the placed one.
   *
   * @param clusters a number per candidate, equal where they are alike
   */
  double[] clusterWeights(double[] chances, double[] logging, int[] slate, int[] clusters) {
    leftBefore(logging, slate);
    double[] loggingLeft = Arrays.copyOf(left, slate.length);
    leftBefore(chances, slate);
    double[] result = new double[slate.length];
    boolean[] placed = new boolean[chances.length];
    double prefix = 1;
    for (int position = 0; position < slate.length; position++) {
      double ofTarget = 0;
      double ofLogging = 0;
      for (int i = 0; i < chances.length; i++) {
        if (!placed[i] && clusters[i] == clusters[slate[position]]) {
          ofTarget += chances[i];
          ofLogging += logging[i];
        }
      }
      prefix *= ofTarget / left[position] / (ofLogging / loggingLeft[position]);
      result[position] = prefix;
      placed[slate[position]] = true;
    }
    return result;
  }

  /**
   * How far the policy is from the logging policy at each position.
   *
   * @return {@code [positions][3]}: divergence in nats, chance of items that are never logged,
   *     chance of items that are rarely logged
   */
  double[][] distances(double[] chances, double[] logging, int[] slate) {
    leftBefore(logging, slate);
    double[] loggingLeft = Arrays.copyOf(left, slate.length);
    leftBefore(chances, slate);
    double[][] result = new double[slate.length][3];
    boolean[] placed = new boolean[chances.length];
    for (int position = 0; position < slate.length; position++) {
      for (int i = 0; i < chances.length; i++) {
        if (!placed[i] && chances[i] > 0) {
          add(chances[i] / left[position], logging[i] / loggingLeft[position], result[position]);
        }
      }
      placed[slate[position]] = true;
    }
    return result;
  }

  private static void add(double target, double logging, double[] sums) {
    if (logging > 0) {
      sums[0] += target * Math.log(target / logging);
    } else {
      sums[1] += target;
    }
    sums[2] += logging < THIN ? target : 0;
  }

  /**
   * Sets {@code left[position]}: what the unplaced candidates have together, summed from the back
   * so that nothing cancels. That is how propensities are computed when a slate is drawn: a
   * policy's chances on its own slates are its propensities to the last bit.
   */
  private void leftBefore(double[] chances, int[] slate) {
    if (left.length < slate.length) {
      left = new double[slate.length];
    }
    boolean[] placed = new boolean[chances.length];
    for (int candidate : slate) {
      placed[candidate] = true;
    }
    double rest = 0;
    for (int i = 0; i < chances.length; i++) {
      rest += placed[i] ? 0 : chances[i];
    }
    for (int position = slate.length - 1; position > 0; position--) {
      rest += chances[slate[position]];
      left[position] = rest;
    }
    double all = rest + chances[slate[0]];
    left[0] = Math.abs(all - 1) <= ROUNDING ? all : 1;
  }
}
