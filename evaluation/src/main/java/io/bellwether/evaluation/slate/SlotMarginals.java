package io.bellwether.evaluation.slate;

import java.util.Arrays;

/**
 * The chance of each item to stand at each position under Plackett and Luce's law, for any number
 * of items, to about 1e-12. Immutable.
 *
 * <pre>
 * Let item a arrive at an exponential time with rate w_a = exp(score); the slate is the order of
 * arrival. Item a is the k-th to arrive, counted from 0, with chance
 *
 *   ∫ w_a·exp(−w_a·t) · P(k of the others have arrived by t) dt,
 *
 * and the number of others that have arrived is a sum of independent trials with chances
 * 1 − exp(−w_b·t). With t = exp(x − exp(−x)) the integrand falls off doubly exponentially on the
 * left and, once all have arrived, on the right: the trapezoidal rule in x is then exact to the
 * last digits. The trials are summed from both ends of the items, which subtracts nothing and keeps
 * small chances' digits.
 * </pre>
 *
 * <p>Sources: Luce, "Individual Choice Behavior", 1959, for the arrivals; Takahasi and Mori,
 * "Double Exponential Formulas for Numerical Integration", 1974, for the rule.
 */
public final class SlotMarginals {
  private final double[][] chance;

  private SlotMarginals(double[][] chance) {
    this.chance = chance;
  }

  /** Of all items; costs about 100 · items · positions² operations. */
  public static SlotMarginals of(PlackettLuce law) {
    double[][] chance = new double[law.positions()][law.items()];
    new Arrivals(law)
        .integrate(
            (item, others, density) -> {
              for (int k = 0; k < chance.length; k++) {
                chance[k][item] += density * others.chance(k);
              }
            });
    return new SlotMarginals(chance);
  }

  /**
   * The chance of each item of a slate to stand where it does, whatever stands elsewhere; costs
   * about 200 · items · positions operations.
   *
   * @param slate item by position
   */
  public static double[] ofSlate(PlackettLuce law, int[] slate) {
    int[] positionOf = new int[law.items()];
    Arrays.fill(positionOf, -1);
    for (int position = 0; position < slate.length; position++) {
      positionOf[slate[position]] = position;
    }
    double[] chance = new double[slate.length];
    new Arrivals(law)
        .integrate(
            (item, others, density) -> {
              int position = positionOf[item];
              if (position >= 0) {
                chance[position] += density * others.chance(position);
              }
            });
    return chance;
  }

  public double chance(int position, int item) {
    return chance[position][item];
  }

  /** How many items other than one have arrived. */
  private interface Others {
    double chance(int count);
  }

  /** Takes an item's density of arrival at a node, its weight in the integral included. */
  private interface Sink {
    void add(int item, Others others, double density);
  }

  /** The integral, node by node. Confined to one thread. */
  private static final class Arrivals {
    private static final double STEP = 0.15;

    /** t = exp(−40) there, in units of the mean time of the first arrival. */
    private static final double FIRST_NODE = -3.6;

    /** After 45 times the mean time of its own arrival an item has arrived. */
    private static final double LATEST = Math.log(45);

    /** Two items whose scores are further apart are in order but for a chance of 1e-26. */
    private static final double LARGEST_GAP = 60;

    /** Scores of no wider range take so few nodes that their gaps can stay. */
    private static final double ORDINARY_RANGE = 100;

    /** Below it the series for 1 − exp(−r) is shorter than a call. */
    private static final double SMALL_RATE = 0.25;

    /** By then an item has arrived, to the last digit; infinity would not multiply. */
    private static final double LARGEST_RATE = 1e3;

    private static final double[] RECIPROCALS = {
      1 / 12.0, 1 / 11.0, 1 / 10.0, 1 / 9.0, 1 / 8.0, 1 / 7.0, 1 / 6.0, 1 / 5.0, 1 / 4.0, 1 / 3.0,
      1 / 2.0
    };

    private final int items;
    private final int positions;

    /** Logarithms of the rates, which sum to 1. */
    private final double[] logRate;

    private final double lastNode;
    private final double[] rate;
    private final double[] absent;
    private final double[] present;

    /** {@code [item * positions + k]}: chance that k of the items before it have arrived. */
    private final double[] before;

    /** Chance that k of the items after the current one have arrived. */
    private final double[] after;

    Arrivals(PlackettLuce law) {
      items = law.items();
      positions = law.positions();
      logRate = closeGaps(law);
      double total = PlackettLuce.logOfSum(logRate);
      for (int item = 0; item < items; item++) {
        logRate[item] -= total;
      }
      double[] ascending = logRate.clone();
      Arrays.sort(ascending);
      lastNode = LATEST - ascending[items - positions];
      rate = new double[items];
      absent = new double[items];
      present = new double[items];
      before = new double[items * positions];
      after = new double[positions];
    }

    void integrate(Sink sink) {
      int nodes = (int) Math.ceil((lastNode - FIRST_NODE) / STEP);
      for (int node = 0; node <= nodes; node++) {
        double x = FIRST_NODE + node * STEP;
        double steep = Math.exp(-x);
        arrive(x - steep);
        countBefore();
        addAll(sink, STEP * (1 + steep));
      }
    }

    /** Chances of having arrived by a time. */
    private void arrive(double logTime) {
      for (int item = 0; item < items; item++) {
        double r = Math.min(LARGEST_RATE, Math.exp(logRate[item] + logTime));
        rate[item] = r;
        if (r < SMALL_RATE) {
          present[item] = arrived(r);
          absent[item] = 1 - present[item];
        } else {
          absent[item] = Math.exp(-r);
          present[item] = 1 - absent[item];
        }
      }
    }

    /** 1 − exp(−r) for small r, by its series to the last digit. */
    private static double arrived(double r) {
      double sum = 1;
      for (double reciprocal : RECIPROCALS) {
        sum = 1 - r * reciprocal * sum;
      }
      return r * sum;
    }

    private void countBefore() {
      Arrays.fill(before, 0, positions, 0);
      before[0] = 1;
      for (int item = 0; item < items - 1; item++) {
        int here = item * positions;
        int next = here + positions;
        double stays = absent[item];
        double comes = present[item];
        before[next] = before[here] * stays;
        for (int k = 1; k < positions; k++) {
          before[next + k] = before[here + k] * stays + before[here + k - 1] * comes;
        }
      }
    }

    private void addAll(Sink sink, double weight) {
      Arrays.fill(after, 0);
      after[0] = 1;
      for (int item = items - 1; item >= 0; item--) {
        int here = item * positions;
        sink.add(item, count -> others(here, count), weight * rate[item] * absent[item]);
        double stays = absent[item];
        double comes = present[item];
        for (int k = positions - 1; k > 0; k--) {
          after[k] = after[k] * stays + after[k - 1] * comes;
        }
        after[0] *= stays;
      }
    }

    private double others(int here, int count) {
      double chance = 0;
      for (int left = 0; left <= count; left++) {
        chance += before[here + left] * after[count - left];
      }
      return chance;
    }

    /**
     * The law's scores, where their range is extraordinary those from the highest down no further
     * apart than a gap that decides their order: a bound on the number of nodes.
     */
    private static double[] closeGaps(PlackettLuce law) {
      double[] scores = law.scores();
      double[] possible =
          Arrays.stream(scores)
              .filter(score -> score > Double.NEGATIVE_INFINITY)
              .sorted()
              .toArray();
      double highest = possible[possible.length - 1];
      if (highest - possible[0] <= ORDINARY_RANGE) {
        return scores;
      }
      double[] closed = new double[possible.length];
      for (int at = possible.length - 2; at >= 0; at--) {
        closed[at] = closed[at + 1] - Math.min(possible[at + 1] - possible[at], LARGEST_GAP);
      }
      return Arrays.stream(scores)
          .map(
              score ->
                  score == Double.NEGATIVE_INFINITY
                      ? score
                      : closed[Arrays.binarySearch(possible, score)])
          .toArray();
    }
  }
}
