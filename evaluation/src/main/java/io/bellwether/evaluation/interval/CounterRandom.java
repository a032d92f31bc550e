package io.bellwether.evaluation.interval;

/**
 * Random numbers that are a pure function of a seed and four keys, so that a result cannot depend
 * on the number of threads or their order.
 */
public record CounterRandom(long seed) {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  /** Sixty-four random bits of the keys. */
  public long bits(long tag, long i, long j, long k) {
    return bits(state(tag, i, j), k);
  }

  /** {@code bits(tag, i, j, k)} from the {@link #state} of the first three. */
  public static long bits(long state, long k) {
    return mix(state + GOLDEN * (k + 1));
  }

  /** What is common to the bits of all k, for use in a loop over k. */
  public long state(long tag, long i, long j) {
    long state = mix(seed + GOLDEN);
    state = mix(state + GOLDEN * (tag + 1));
    state = mix(state + GOLDEN * (i + 1));
    return mix(state + GOLDEN * (j + 1));
  }

  /** A uniform number in [0, 1). */
  public double uniform(long tag, long i, long j, long k) {
    return (bits(tag, i, j, k) >>> 11) * 0x1p-53;
  }

  private static long mix(long value) {
    long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
