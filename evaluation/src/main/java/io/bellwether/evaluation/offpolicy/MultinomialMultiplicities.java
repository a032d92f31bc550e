package io.bellwether.evaluation.offpolicy;

import io.bellwether.evaluation.interval.CounterRandom;

/**
 * Multiplicities of the ordinary bootstrap: each replicate draws as many units as there are, with
 * replacement. A pure function of (seed, replicate, draw); memory is one byte per unit and
 * replicate. Immutable.
 *
 * @param replicates of each unit
 * @param times {@code [unit * replicates + replicate]}; a unit of fewer than a thousand is never
 *     drawn 128 times
 */
@SuppressWarnings("ArrayRecordComponent") // not compared
record MultinomialMultiplicities(int replicates, byte[] times) implements Multiplicities {
  private static final long TAG = 0x6D756C74L;

  static MultinomialMultiplicities of(long seed, int units, int replicates) {
    CounterRandom random = new CounterRandom(seed);
    byte[] times = new byte[Math.multiplyExact(units, replicates)];
    for (int replicate = 0; replicate < replicates; replicate++) {
      long state = random.state(TAG, replicate, 0);
      for (int draw = 0; draw < units; draw++) {
        long bits = CounterRandom.bits(state, draw);
        int unit = (int) ((bits >>> 32) * units >>> 32);
        times[unit * replicates + replicate]++;
      }
    }
    return new MultinomialMultiplicities(replicates, times);
  }

  @Override
  public void draw(int unit, int first, int count, double[] multiplicities) {
    int from = unit * replicates + first;
    for (int at = 0; at < count; at++) {
      multiplicities[at] = times[from + at];
    }
  }
}
