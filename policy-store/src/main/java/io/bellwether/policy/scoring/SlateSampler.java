package io.bellwether.policy.scoring;

import java.util.Arrays;

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
 * <p>Under {@link SlateRules} the chance is the weight over the weights of the candidates that are
 * open at the position ({@link OpenCandidates}). Who is open changes from position to position, so
 * arrivals would have to be drawn anew at each; one uniform per position and the running sum of
 * open weights do it without a logarithm.
 *
 * <p>Mutable inside and confined to one thread.
 *
 * <p>Source: Kool, van Hoof and Welling, "Stochastic Beams and Where to Find Them", 2019.
 */
public final class SlateSampler {

  /** Keeps these draws apart from others under the same seed. Changing it breaks every replay. */
  private static final long SLATE_TAG = 1;

  /** The same for draws under rules. */
  private static final long RULED_TAG = 3;

  private double[] arrivals = new double[16];
  private final OpenCandidates open = new OpenCandidates();

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

  /**
   * Draws a slate of {@code min(size, candidates)} positions under rules into new arrays.
   *
   * @throws IllegalArgumentException where no slate keeps the rules
   */
  public Slate sample(MixedWeights weights, SlateRules rules, long seed, int size) {
    int filled = Math.min(size, weights.count());
    int[] slate = new int[filled];
    double[] propensities = new double[filled];
    sample(weights, rules, seed, slate, propensities);
    return new Slate(slate, propensities);
  }

  /**
   * Draws a slate of at most {@code slate.length} positions under rules into the caller's arrays.
   * Without rules it is the slate that {@link #sample(MixedWeights, long, int[], double[])} draws.
   *
   * @return how many positions were filled: the lesser of {@code slate.length} and the candidates
   * @throws IllegalArgumentException where no slate keeps the rules
   */
  public int sample(
      MixedWeights weights, SlateRules rules, long seed, int[] slate, double[] propensities) {
    if (rules.isNone()) {
      return sample(weights, seed, slate, propensities);
    }
    int size = Math.min(slate.length, weights.count());
    open.begin(rules, weights.count(), size);
    for (int position = 0; position < size; position++) {
      double all = weights.sumOf(open);
      double mark = CounterRandom.uniform(seed, RULED_TAG, position, 0, 0) * all;
      int candidate = weights.reaching(mark, open);
      slate[position] = candidate;
      propensities[position] = weights.weight(candidate) / all;
      open.place(candidate);
    }
    return size;
  }

  /**
   * Each candidate's chance to come first, {@code [candidates]}: its weight over the weights of
   * those that may; 0 for the others.
   *
   * @throws IllegalArgumentException where no slate of this size keeps the rules
   */
  public double[] first(MixedWeights weights, SlateRules rules, int size) {
    double[] chances = new double[weights.count()];
    weights.copyTo(chances);
    if (!rules.isNone()) {
      open.begin(rules, chances.length, Math.min(size, chances.length));
      double all = weights.sumOf(open);
      for (int i = 0; i < chances.length; i++) {
        chances[i] = open.isOpen(i) ? chances[i] / all : 0;
      }
    }
    return chances;
  }

  /**
   * The slate that shows candidates in their own order as far as rules allow: at each position the
   * first that is open. Nothing is random, so all propensities are 1.
   *
   * @throws IllegalArgumentException where no slate keeps the rules
   */
  public Slate inOrder(SlateRules rules, int candidates, int size) {
    int[] slate = new int[Math.min(size, candidates)];
    double[] propensities = new double[slate.length];
    Arrays.fill(propensities, 1);
    if (!rules.isNone()) {
      open.begin(rules, candidates, slate.length);
    }
    for (int position = 0; position < slate.length; position++) {
      int candidate = position;
      if (!rules.isNone()) {
        candidate = 0;
        while (!open.isOpen(candidate)) {
          candidate++;
        }
        open.place(candidate);
      }
      slate[position] = candidate;
    }
    return new Slate(slate, propensities);
  }

  /**
   * The chance of each placement of a slate given the earlier ones, under rules: bit for bit what
   * {@link #sample(MixedWeights, SlateRules, long, int[], double[])} says of a slate that it draws.
   * Writes {@code propensities[0..size)} for {@code slate[0..size)}.
   *
   * @throws IllegalArgumentException where the slate does not keep the rules, or is none
   */
  public void propensities(
      MixedWeights weights, SlateRules rules, int[] slate, int size, double[] propensities) {
    if (rules.isNone()) {
      weights.propensities(slate, size, propensities);
      return;
    }
    open.begin(rules, weights.count(), size);
    for (int position = 0; position < size; position++) {
      double all = weights.sumOf(open);
      propensities[position] = weights.weight(slate[position]) / all;
      open.place(slate[position]);
    }
  }
}
