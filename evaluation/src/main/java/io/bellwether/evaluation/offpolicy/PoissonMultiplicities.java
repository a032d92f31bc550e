package io.bellwether.evaluation.offpolicy;

import io.bellwether.evaluation.interval.CounterRandom;
import java.util.Arrays;

/**
 * Multiplicities of replicates that take each unit independently of the others, so that nothing is
 * kept: numbers with the Poisson law of mean 1, a pure function of (seed, unit, replicate).
 * Immutable.
 *
 * <p>Four numbers come from one word of the counter generator, sixteen bits each, by a table whose
 * chances are multiples of 2⁻¹⁶. It is within 4e-5 of the Poisson law in total variation, has mean
 * and variance 1 exactly and a third factorial moment of 1 within 4e-5, so that what is resampled
 * with it has the bootstrap's standard error and skewness.
 *
 * @param random keyed by the bootstrap's seed
 */
record PoissonMultiplicities(CounterRandom random) implements Multiplicities {
  private static final long TAG = 0x706F6973L;
  private static final int LANES = 4;

  /** How many of 65,536 equally likely lanes mean 0, 1, … 8 draws. */
  private static final int[] LANES_BY_MULTIPLICITY = {
    24_109, 24_110, 12_055, 4_017, 1_005, 201, 34, 4, 1
  };

  private static final byte[] MULTIPLICITY = table();

  PoissonMultiplicities(long seed) {
    this(new CounterRandom(seed));
  }

  @Override
  public void draw(int unit, int first, int count, double[] multiplicities) {
    long state = random.state(TAG, unit, 0);
    for (int at = 0; at < count; at += LANES) {
      long bits = CounterRandom.bits(state, (first + at) / LANES);
      multiplicities[at] = MULTIPLICITY[(int) (bits & 0xFFFF)];
      multiplicities[at + 1] = MULTIPLICITY[(int) (bits >>> 16 & 0xFFFF)];
      multiplicities[at + 2] = MULTIPLICITY[(int) (bits >>> 32 & 0xFFFF)];
      multiplicities[at + 3] = MULTIPLICITY[(int) (bits >>> 48)];
    }
  }

  private static byte[] table() {
    byte[] table = new byte[1 << 16];
    int from = 0;
    for (byte multiplicity = 0; multiplicity < LANES_BY_MULTIPLICITY.length; multiplicity++) {
      int to = from + LANES_BY_MULTIPLICITY[multiplicity];
      Arrays.fill(table, from, to, multiplicity);
      from = to;
    }
    return table;
  }
}
