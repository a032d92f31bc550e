package io.bellwether.evaluation.tuning;

import java.util.Arrays;
import java.util.Comparator;

/**
 * Lepski's rule for estimators: go from the widest interval to the narrowest, as long as each still
 * agrees with all before it, and take the last. Needs candidates whose bias grows as their width
 * falls.
 *
 * <p>Agreement of i with an earlier j: |value_j − value_i| ≤ width_i + (√6 − 1)·width_j.
 *
 * <p>Source: Tucker and Lee, "Improved Estimator Selection for Off-Policy Evaluation", 2021.
 */
public final class Slope {
  private static final double SLACK = Math.sqrt(6) - 1;

  private Slope() {}

  /** The index of the choice among at least one candidate; equal widths go in the order given. */
  public static int select(double[] values, double[] halfWidths) {
    if (values.length == 0 || values.length != halfWidths.length) {
      throw new IllegalArgumentException(
          "%d values with %d widths".formatted(values.length, halfWidths.length));
    }
    int[] order = widestFirst(halfWidths);
    int accepted = 1;
    while (accepted < order.length && agrees(order, accepted, values, halfWidths)) {
      accepted++;
    }
    return order[accepted - 1];
  }

  private static int[] widestFirst(double[] halfWidths) {
    Integer[] order = new Integer[halfWidths.length];
    Arrays.setAll(order, index -> index);
    Arrays.sort(order, Comparator.comparingDouble(index -> -halfWidths[index]));
    return Arrays.stream(order).mapToInt(Integer::intValue).toArray();
  }

  private static boolean agrees(int[] order, int at, double[] values, double[] halfWidths) {
    int next = order[at];
    for (int earlier = 0; earlier < at; earlier++) {
      int other = order[earlier];
      double distance = Math.abs(values[other] - values[next]);
      if (distance > halfWidths[next] + SLACK * halfWidths[other]) {
        return false;
      }
    }
    return true;
  }
}
