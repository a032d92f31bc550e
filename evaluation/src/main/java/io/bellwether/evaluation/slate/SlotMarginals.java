package io.bellwether.evaluation.slate;

import io.bellwether.evaluation.CompensatedSums;
import io.bellwether.evaluation.interval.CounterRandom;
import java.util.Arrays;

/**
 * The chance of each item to stand at each position under a law of slates. Immutable.
 *
 * <p>Exact where it costs no more than sampling would: the chance that the first j places hold a
 * given set of items, in whatever order, follows from the sets that are one item smaller, so that
 * sets are counted and not slates. Otherwise seeded Monte Carlo, in which each drawn slate adds the
 * chances of all items given its earlier positions and not only the items that it drew.
 */
public final class SlotMarginals {
  /** Slates drawn where the chances cannot be counted. */
  public static final int DRAWS = 100_000;

  private static final long DRAW = 0x51A7E;

  private final double[][] chance;
  private final double[][] error;
  private final long draws;

  private SlotMarginals(double[][] chance, double[][] error, long draws) {
    this.chance = chance;
    this.error = error;
    this.draws = draws;
  }

  /** The chances, from {@link #DRAWS} slates where they are not exact. */
  public static SlotMarginals of(PlackettLuce law, long seed) {
    return of(law, DRAWS, seed);
  }

  /**
   * The chances; exact where no size has more sets than {@code draws}, since a set costs what a
   * position of a draw costs.
   *
   * @param draws at least 2
   * @param seed of the draws; without effect where the chances are exact
   */
  public static SlotMarginals of(PlackettLuce law, int draws, long seed) {
    return mostSets(law) <= draws ? counted(law) : drawn(law, draws, seed);
  }

  /** The exact chances, at any cost. */
  static SlotMarginals counted(PlackettLuce law) {
    return new SlotMarginals(
        new FirstItems(law).marginals(), new double[law.positions()][law.items()], 0);
  }

  static SlotMarginals drawn(PlackettLuce law, int draws, long seed) {
    int items = law.items();
    CounterRandom random = new CounterRandom(seed);
    CompensatedSums sums = new CompensatedSums(law.positions() * items);
    CompensatedSums squares = new CompensatedSums(law.positions() * items);
    boolean[] used = new boolean[items];
    double[] next = new double[items];
    for (int draw = 0; draw < draws; draw++) {
      Arrays.fill(used, false);
      for (int position = 0; position < law.positions(); position++) {
        law.choices(used, next);
        for (int item = 0; item < items; item++) {
          sums.add(position * items + item, next[item]);
          squares.add(position * items + item, next[item] * next[item]);
        }
        used[pick(next, random.uniform(DRAW, draw, position, 0))] = true;
      }
    }
    double[][] chance = new double[law.positions()][items];
    double[][] error = new double[law.positions()][items];
    for (int position = 0; position < law.positions(); position++) {
      for (int item = 0; item < items; item++) {
        double mean = sums.get(position * items + item) / draws;
        double variance = squares.get(position * items + item) / draws - mean * mean;
        chance[position][item] = mean;
        error[position][item] = Math.sqrt(Math.max(0, variance) / (draws - 1));
      }
    }
    return new SlotMarginals(chance, error, draws);
  }

  public double chance(int position, int item) {
    return chance[position][item];
  }

  /** Standard error of a chance; 0 where it is exact. */
  public double standardError(int position, int item) {
    return error[position][item];
  }

  public boolean isExact() {
    return draws == 0;
  }

  /** How many slates were drawn; 0 where the chances are exact. */
  public long draws() {
    return draws;
  }

  private static long mostSets(PlackettLuce law) {
    long most = 1;
    for (int size = 0; size < law.positions(); size++) {
      most = Math.max(most, FirstItems.sets(law.items(), size));
    }
    return most;
  }

  /** An item by its chance; rounding leaves the last one that can be shown. */
  private static int pick(double[] chance, double uniform) {
    double left = uniform;
    int last = 0;
    for (int item = 0; item < chance.length; item++) {
      if (chance[item] > 0) {
        last = item;
        left -= chance[item];
        if (left < 0) {
          return item;
        }
      }
    }
    return last;
  }
}
