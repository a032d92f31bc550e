package io.bellwether.policy.scoring;

/**
 * A generator without state: each draw is a function of a seed and four counters, so that a draw
 * never depends on how many came before it, on their order or on the thread that asked.
 *
 * <p>The mixing function is SplitMix64's finaliser, chained over the counters. Thread-safe, since
 * there is nothing to share.
 */
public final class CounterRandom {

  private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;
  private static final double UNIT = 0x1.0p-53;

  private CounterRandom() {}

  /** Sixty-four bits that are uniform over the keys. */
  public static long hash(long seed, long tag, long i, long j, long k) {
    long x = mix(seed + GOLDEN_GAMMA);
    x = mix(x + GOLDEN_GAMMA * (tag + 1));
    x = mix(x + GOLDEN_GAMMA * (i + 1));
    x = mix(x + GOLDEN_GAMMA * (j + 1));
    return mix(x + GOLDEN_GAMMA * (k + 1));
  }

  /** A uniform draw from [0, 1): a multiple of 2^-53. */
  public static double uniform(long seed, long tag, long i, long j, long k) {
    return (hash(seed, tag, i, j, k) >>> 11) * UNIT;
  }

  /**
   * A standard normal draw (Box and Muller's cosine branch), from the uniforms at {@code 2k} and
   * {@code 2k + 1}.
   */
  public static double normal(long seed, long tag, long i, long j, long k) {
    double radius = Math.sqrt(-2 * Math.log(1 - uniform(seed, tag, i, j, 2 * k)));
    return radius * Math.cos(2 * Math.PI * uniform(seed, tag, i, j, 2 * k + 1));
  }

  private static long mix(long value) {
    long z = value;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
