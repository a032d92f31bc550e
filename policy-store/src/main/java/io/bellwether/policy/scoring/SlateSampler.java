package io.bellwether.policy.scoring;

/**
 * Draws slates without replacement by Plackett and Luce's model over {@link MixedWeights}: at each
 * position the chance of a candidate is its weight over the weights that are left.
 *
 * <p>The draw is Gumbel top-k in its exponential form: candidate {@code i} arrives at {@code -ln(1
 * - u_i) / w_i}, and the first {@code k} to arrive are the slate, in that order; equal times go to
 * the lower index. {@code u_i} is {@link CounterRandom#uniform} of the decision's seed and {@code
 * i}, and elementary functions are {@link StrictMath}'s: one seed and one vector of logits give the
 * same slate and the same propensities, bit for bit, wherever they are computed. One pass over the
 * candidates; about {@code k (1 + ln(M / k))} of them enter the sorted list of the {@code k} first.
 *
 * <p>Mutable inside and confined to one thread.
 *
 * <p>Source: Kool, van Hoof and Welling, "Stochastic Beams and Where to Find Them", 2019.
 */
public final class SlateSampler {

  /** Keeps these draws apart from others under the same seed. Changing it breaks every replay. */
  private static final long SLATE_TAG = 1;

  private double[] arrivals = new double[16];

  /**
   * Draws a slate of {@code min(size, candidates)} positions into new arrays.
   *
   * @param size positions to fill, at least 0
   */
  public Slate sample(MixedWeights weights, long seed, int size) {
    int filled = Math.min(size, weights.count());
    int[] slate = new int[filled];
    double[] propensities = new double[filled];
    sample(weights, seed, slate, propensities);
    return new Slate(slate, propensities);
  }

  /**
   * Draws a slate of at most {@code slate.length} positions into the caller's arrays and allocates
   * nothing.
   *
   * @return how many positions were filled: the lesser of {@code slate.length} and the candidates
   */
  public int sample(MixedWeights weights, long seed, int[] slate, double[] propensities) {
    int size = Math.min(slate.length, weights.count());
    if (size == 0) {
      return 0;
    }
    if (arrivals.length < size) {
      arrivals = new double[size];
    }
    int filled = 0;
    for (int candidate = 0; candidate < weights.count(); candidate++) {
      double wait = -StrictMath.log(1 - CounterRandom.uniform(seed, SLATE_TAG, candidate, 0, 0));
      double arrival = wait / weights.weight(candidate);
      if (filled == size && arrival >= arrivals[size - 1]) {
        continue;
      }
      int position = filled == size ? size - 1 : filled++;
      for (; position > 0 && arrivals[position - 1] > arrival; position--) {
        arrivals[position] = arrivals[position - 1];
        slate[position] = slate[position - 1];
      }
      arrivals[position] = arrival;
      slate[position] = candidate;
    }
    weights.propensities(slate, size, propensities);
    return size;
  }
}
