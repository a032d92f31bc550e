package io.bellwether.evaluation.slate;

import java.util.Arrays;

/**
 * Plackett and Luce's law of slates without repetition: at each position the chance of an item is
 * exp(score) over the sum of exp(score) of the items that are left.
 *
 * <p>A score is a number or −∞ (never shown); temperature is applied already. Sums of exponentials
 * are taken relative to the largest score that is left, so scores may be of any size. Confined to
 * one thread; the calls that take one slate allocate nothing.
 *
 * <p>Sources: Luce, "Individual Choice Behavior", 1959; Plackett, "The Analysis of Permutations",
 * 1975.
 */
public final class PlackettLuce {
  private final double[] scores;
  private final int positions;
  private final boolean[] taken;

  /**
   * @param scores by item; a copy is kept
   * @param positions length of a slate; at least so many items can be shown
   */
  public PlackettLuce(double[] scores, int positions) {
    int possible = 0;
    for (double score : scores) {
      if (Double.isNaN(score) || score == Double.POSITIVE_INFINITY) {
        throw new IllegalArgumentException("a score is a number or -Infinity, found " + score);
      }
      possible += score > Double.NEGATIVE_INFINITY ? 1 : 0;
    }
    if (positions < 1 || positions > possible) {
      throw new IllegalArgumentException(
          "a slate of %d positions from %d items".formatted(positions, possible));
    }
    this.scores = scores.clone();
    this.positions = positions;
    taken = new boolean[scores.length];
  }

  /** The law in which an item's chance is its weight over the weights that are left. */
  public static PlackettLuce ofWeights(double[] weights, int positions) {
    return new PlackettLuce(Arrays.stream(weights).map(Math::log).toArray(), positions);
  }

  public int items() {
    return scores.length;
  }

  public int positions() {
    return positions;
  }

  /** Natural logarithm of the chance of the slate; −∞ where it is never shown. */
  public double logJoint(int[] slate) {
    return walk(slate, new double[0]);
  }

  /**
   * Writes the logarithm of the chance of the slate's first 1, 2, … items into {@code logPrefix}.
   */
  public void logPrefixes(int[] slate, double[] logPrefix) {
    walk(slate, logPrefix);
  }

  /** How many slates there are: items · (items − 1) · …; at most {@link Long#MAX_VALUE}. */
  public long slates() {
    double count = 1;
    for (int position = 0; position < positions; position++) {
      count *= scores.length - position;
    }
    return (long) count;
  }

  /** Shows every slate with its chance, in the order of item numbers. */
  public void forEach(SlateVisitor visitor) {
    visit(new int[positions], 0, 1, visitor);
  }

  private double walk(int[] slate, double[] logPrefix) {
    if (slate.length != positions) {
      throw new IllegalArgumentException(
          "a slate of %d items for %d positions".formatted(slate.length, positions));
    }
    double log = 0;
    Arrays.fill(taken, false);
    for (int position = 0; position < positions; position++) {
      int item = slate[position];
      boolean possible = !taken[item] && scores[item] > Double.NEGATIVE_INFINITY;
      log = possible ? log + scores[item] - logOfTheRest() : Double.NEGATIVE_INFINITY;
      taken[item] = true;
      if (position < logPrefix.length) {
        logPrefix[position] = log;
      }
    }
    return log;
  }

  private void visit(int[] slate, int position, double probability, SlateVisitor visitor) {
    if (position == positions) {
      visitor.visit(slate, probability);
      return;
    }
    if (position == 0) {
      Arrays.fill(taken, false);
    }
    double rest = logOfTheRest();
    for (int item = 0; item < scores.length; item++) {
      if (!taken[item]) {
        taken[item] = true;
        slate[position] = item;
        visit(slate, position + 1, probability * Math.exp(scores[item] - rest), visitor);
        taken[item] = false;
      }
    }
  }

  /** Logarithm of the sum of exponentials of the items that are left. */
  private double logOfTheRest() {
    double largest = Double.NEGATIVE_INFINITY;
    for (int item = 0; item < scores.length; item++) {
      largest = taken[item] ? largest : Math.max(largest, scores[item]);
    }
    if (largest == Double.NEGATIVE_INFINITY) {
      return 0;
    }
    double sum = 0;
    for (int item = 0; item < scores.length; item++) {
      sum += taken[item] ? 0 : Math.exp(scores[item] - largest);
    }
    return largest + Math.log(sum);
  }

  /** By item; a copy. */
  double[] scores() {
    return scores.clone();
  }

  /** Logarithm of the sum of exponentials, of which at least one is above 0. */
  static double logOfSum(double[] logs) {
    double largest = Arrays.stream(logs).max().orElseThrow();
    double sum = 0;
    for (double log : logs) {
      sum += Math.exp(log - largest);
    }
    return largest + Math.log(sum);
  }
}
