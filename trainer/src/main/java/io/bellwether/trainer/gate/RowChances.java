package io.bellwether.trainer.gate;

import io.bellwether.policy.scoring.OpenCandidates;
import io.bellwether.policy.scoring.SlateRules;
import java.util.Arrays;

/**
 * How a policy and the logging policy would have filled the positions of one decision: at each, a
 * candidate's chance at the first position over the chances of all that may stand there: that are
 * left, and that the decision's rules do not keep out. Reused from decision to decision; confined
 * to one thread.
 */
final class RowChances {

  /** Chances whose sum differs from 1 by more do not do so by rounding; they are used as given. */
  private static final double ROUNDING = 1e-9;

  /** Below it a candidate counts as rarely logged. */
  private static final double THIN = 1e-3;

  private double[] left = new double[64];
  private final OpenCandidates rest = new OpenCandidates();
  private boolean[] open = new boolean[64];

  /**
   * The chance of the placed item at each position given the earlier ones.
   *
   * @param chances at the first position, {@code [candidates]}
   */
  double[] ofSlate(SlateRules rules, double[] chances, int[] slate) {
    if (!rules.isNone()) {
      findOpen(rules, chances.length, slate);
    }
    leftBefore(rules, chances, slate);
    double[] result = new double[slate.length];
    for (int position = 0; position < slate.length; position++) {
      result[position] = chances[slate[position]] / left[position];
    }
    return result;
  }

  /**
   * Each candidate's chance at the first position, of those whom rules keep out 0.
   *
   * @param chances before rules keep any out
   */
  double[] ofFirst(SlateRules rules, double[] chances, int[] slate) {
    if (rules.isNone()) {
      return chances;
    }
    findOpen(rules, chances.length, slate);
    leftBefore(rules, chances, slate);
    double[] result = new double[chances.length];
    for (int i = 0; i < chances.length; i++) {
      result[i] = open[i] ? chances[i] / left[0] : 0;
    }
    return result;
  }

  /**
   * The mean of a value per candidate under the policy, at each position: over the candidates that
   * may stand there.
   */
  double[] means(SlateRules rules, double[] chances, int[] slate, double[] values) {
    findOpen(rules, chances.length, slate);
    leftBefore(rules, chances, slate);
    double[] result = new double[slate.length];
    for (int position = 0; position < slate.length; position++) {
      int row = position * chances.length;
      double sum = 0;
      for (int i = 0; i < chances.length; i++) {
        if (open[row + i]) {
          sum += chances[i] * values[i];
        }
      }
      result[position] = sum / left[position];
    }
    return result;
  }

  /**
   * The product over the positions up to each of the chance, target / logging, of any candidate
   * that is like the placed one.
   *
   * @param clusters a number per candidate, equal where they are alike
   */
  double[] clusterWeights(
      SlateRules rules, double[] chances, double[] logging, int[] slate, int[] clusters) {
    findOpen(rules, chances.length, slate);
    leftBefore(rules, logging, slate);
    double[] loggingLeft = Arrays.copyOf(left, slate.length);
    leftBefore(rules, chances, slate);
    double[] result = new double[slate.length];
    double prefix = 1;
    for (int position = 0; position < slate.length; position++) {
      double ofTarget = 0;
      double ofLogging = 0;
      int row = position * chances.length;
      for (int i = 0; i < chances.length; i++) {
        if (open[row + i] && clusters[i] == clusters[slate[position]]) {
          ofTarget += chances[i];
          ofLogging += logging[i];
        }
      }
      prefix *= ofTarget / left[position] / (ofLogging / loggingLeft[position]);
      result[position] = prefix;
    }
    return result;
  }

  /**
   * How far the policy is from the logging policy at each position.
   *
   * @return {@code [positions][3]}: divergence in nats, chance of items that are never logged,
   *     chance of items that are rarely logged
   */
  double[][] distances(SlateRules rules, double[] chances, double[] logging, int[] slate) {
    findOpen(rules, chances.length, slate);
    leftBefore(rules, logging, slate);
    double[] loggingLeft = Arrays.copyOf(left, slate.length);
    leftBefore(rules, chances, slate);
    double[][] result = new double[slate.length][3];
    for (int position = 0; position < slate.length; position++) {
      int row = position * chances.length;
      for (int i = 0; i < chances.length; i++) {
        if (open[row + i] && chances[i] > 0) {
          add(chances[i] / left[position], logging[i] / loggingLeft[position], result[position]);
        }
      }
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

  /** Sets {@code open[position * candidates + candidate]}: whether it may stand there. */
  private void findOpen(SlateRules rules, int candidates, int[] slate) {
    if (open.length < slate.length * candidates) {
      open = new boolean[slate.length * candidates];
    }
    if (rules.isNone()) {
      for (int position = 0; position < slate.length; position++) {
        int row = position * candidates;
        Arrays.fill(open, row, row + candidates, true);
        for (int earlier = 0; earlier < position; earlier++) {
          open[row + slate[earlier]] = false;
        }
      }
      return;
    }
    rest.begin(rules, candidates, slate.length);
    for (int position = 0; position < slate.length; position++) {
      for (int i = 0; i < candidates; i++) {
        open[position * candidates + i] = rest.isOpen(i);
      }
      rest.place(slate[position]);
    }
  }

  /**
   * Sets {@code left[position]}: what the open candidates have together. Without rules it is summed
   * from the back so that nothing cancels, under rules in the order of candidates. That is how
   * propensities are computed when a slate is drawn: a policy's chances on its own slates are its
   * propensities to the last bit.
   */
  private void leftBefore(SlateRules rules, double[] chances, int[] slate) {
    if (left.length < slate.length) {
      left = new double[slate.length];
    }
    if (!rules.isNone()) {
      for (int position = 0; position < slate.length; position++) {
        double sum = 0;
        for (int i = 0; i < chances.length; i++) {
          sum += open[position * chances.length + i] ? chances[i] : 0;
        }
        // A policy that gives nobody here a chance gives the placed item none either.
        left[position] = sum > 0 ? sum : 1;
      }
      return;
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
