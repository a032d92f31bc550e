package io.bellwether.evaluation.slate;

import io.bellwether.evaluation.CompensatedSums;

/**
 * The chances of the sets of items that the first places of a slate hold, size by size.
 *
 * <p>A set c₀ &lt; c₁ &lt; … has number Σ C(cᵢ, i + 1) among those of its size (the combinatorial
 * number system), so a size is one flat array. P(S) = Σ over a in S of P(S without a) · chance of a
 * next. Confined to one thread.
 */
final class FirstItems {
  private final PlackettLuce law;
  private final int items;
  private final boolean[] used;
  private final double[] next;
  private final int[] set;
  private final long[] withoutShift;
  private final long[] withShift;

  /** {@code choose[n][k]}: sets of k from n items. */
  private final long[][] choose;

  FirstItems(PlackettLuce law) {
    this.law = law;
    items = law.items();
    used = new boolean[items];
    next = new double[items];
    set = new int[law.positions()];
    withoutShift = new long[law.positions() + 1];
    withShift = new long[law.positions() + 1];
    choose = new long[items + 1][law.positions() + 2];
    for (int from = 0; from <= items; from++) {
      for (int size = 0; size < choose[from].length; size++) {
        choose[from][size] = sets(from, size);
      }
    }
  }

  /** How many sets of that size there are; more than an {@code int} holds is {@code Long.MAX}. */
  static long sets(int items, int size) {
    int smaller = Math.min(size, items - size);
    if (smaller < 0) {
      return 0;
    }
    long count = 1;
    for (int factor = 1; factor <= smaller; factor++) {
      count = count * (items - smaller + factor) / factor;
      if (count > Integer.MAX_VALUE) {
        return Long.MAX_VALUE;
      }
    }
    return count;
  }

  /** {@code [position][item]}. */
  double[][] marginals() {
    double[][] marginals = new double[law.positions()][];
    double[] chances = {1};
    for (int size = 0; size < law.positions(); size++) {
      boolean last = size == law.positions() - 1;
      double[] larger = new double[last ? 0 : (int) sets(items, size + 1)];
      marginals[size] = extend(chances, size, larger);
      chances = larger;
    }
    return marginals;
  }

  /** Adds one item to every set of a size: into {@code larger}, and summed by item. */
  private double[] extend(double[] chances, int size, double[] larger) {
    CompensatedSums byItem = new CompensatedSums(items);
    first(size);
    for (double chance : chances) {
      if (chance > 0) {
        law.choices(used, next);
        shifts(size);
        int below = 0;
        for (int item = 0; item < items; item++) {
          if (used[item]) {
            below++;
          } else if (next[item] > 0) {
            double joint = chance * next[item];
            byItem.add(item, joint);
            if (larger.length > 0) {
              larger[(int) (withoutShift[below] + choose[item][below + 1] + withShift[below])] +=
                  joint;
            }
          }
        }
      }
      advance(size);
    }
    double[] marginal = new double[items];
    for (int item = 0; item < items; item++) {
      marginal[item] = byItem.get(item);
    }
    return marginal;
  }

  /** Numbers of the set's lower part as it stands, and of its upper part one place further up. */
  private void shifts(int size) {
    withoutShift[0] = 0;
    for (int at = 0; at < size; at++) {
      withoutShift[at + 1] = withoutShift[at] + choose[set[at]][at + 1];
    }
    withShift[size] = 0;
    for (int at = size - 1; at >= 0; at--) {
      withShift[at] = withShift[at + 1] + choose[set[at]][at + 2];
    }
  }

  private void first(int size) {
    for (int item = 0; item < items; item++) {
      used[item] = item < size;
    }
    for (int at = 0; at < size; at++) {
      set[at] = at;
    }
  }

  /** The set with the next number; stays at the last. */
  private void advance(int size) {
    int at = 0;
    while (at < size && set[at] + 1 == (at + 1 < size ? set[at + 1] : items)) {
      at++;
    }
    if (at == size) {
      return;
    }
    for (int lower = 0; lower <= at; lower++) {
      used[set[lower]] = false;
    }
    set[at]++;
    for (int lower = 0; lower < at; lower++) {
      set[lower] = lower;
    }
    for (int lower = 0; lower <= at; lower++) {
      used[set[lower]] = true;
    }
  }
}
