package io.bellwether.policy.scoring;

/**
 * The distribution from which a slate is drawn: a weight per candidate of one request, {@code (1 -
 * e) softmax(logits / temperature) + e / M}, in double from the FP32 logits.
 *
 * <p>Weights are positive and sum to 1. Elementary functions are {@link StrictMath}'s, so that a
 * replay gives the same bits on another machine. Mutable and confined to one thread: {@link #set}
 * reuses the memory.
 */
public final class MixedWeights {

  private static final int INITIAL_CANDIDATES = 64;

  private double[] weights = new double[INITIAL_CANDIDATES];
  private int count;
  private double uniform;

  /** The weights of these logits, in memory of their own. */
  public static MixedWeights of(float[] logits, Exploration exploration) {
    MixedWeights weights = new MixedWeights();
    weights.set(logits, 0, logits.length, exploration);
    return weights;
  }

  /**
   * Replaces the weights by those of {@code logits[from..to)}.
   *
   * @throws IllegalArgumentException where a logit is not finite; the weights are then unusable
   *     until the next call
   */
  public void set(float[] logits, int from, int to, Exploration exploration) {
    count = to - from;
    if (weights.length < count) {
      weights = new double[Math.max(count, 2 * weights.length)];
    }
    uniform = exploration.uniformFor(count);
    double max = greatest(logits, from, to);
    double sum = 0;
    for (int i = 0; i < count; i++) {
      double power = StrictMath.exp((logits[from + i] - max) / exploration.temperature());
      weights[i] = power;
      sum += power;
    }
    double scale = (1 - uniform) / sum;
    double share = uniform / count;
    for (int i = 0; i < count; i++) {
      weights[i] = weights[i] * scale + share;
    }
  }

  /** How many candidates there are. */
  public int count() {
    return count;
  }

  /** The share of the uniform distribution as used: raised where the floor asked for it. */
  public double uniform() {
    return uniform;
  }

  /** The chance of this candidate at the first position. */
  public double weight(int candidate) {
    if (candidate < 0 || candidate >= count) {
      throw new IllegalArgumentException(
          "candidate " + candidate + " is not one of " + count + " candidates");
    }
    return weights[candidate];
  }

  /** Copies the chances at the first position to {@code result[0..count)}. */
  public void copyTo(double[] result) {
    System.arraycopy(weights, 0, result, 0, count);
  }

  /**
   * The chance of each placement of a slate given the earlier ones: a candidate's weight over the
   * weights that are left. Writes {@code propensities[0..size)} for {@code slate[0..size)}.
   *
   * <p>What is left is summed from the back (the candidates that were not placed, then the last
   * position, and so on to the first), so that nothing cancels however little is left.
   *
   * @throws IllegalArgumentException where the slate names a candidate twice, or one that is not
   *     there
   */
  public void propensities(int[] slate, int size, double[] propensities) {
    int taken = 0;
    try {
      for (; taken < size; taken++) {
        double weight = weight(slate[taken]);
        if (weight == 0) {
          throw new IllegalArgumentException(
              "candidate " + slate[taken] + " is twice in the slate, again at " + taken);
        }
        propensities[taken] = weight;
        weights[slate[taken]] = 0;
      }
      double left = 0;
      for (int i = 0; i < count; i++) {
        left += weights[i];
      }
      for (int position = size - 1; position >= 0; position--) {
        double weight = propensities[position];
        weights[slate[position]] = weight;
        left += weight;
        propensities[position] = weight / left;
      }
    } catch (IllegalArgumentException e) {
      for (int position = 0; position < taken; position++) {
        weights[slate[position]] = propensities[position];
      }
      throw e;
    }
  }

  /** The open candidates' chances at the first position together. */
  double sumOf(OpenCandidates open) {
    return open.sumOfOpen(weights);
  }

  /** The first open candidate with whom the running sum of open weights exceeds a mark. */
  int reaching(double mark, OpenCandidates open) {
    double sum = 0;
    int last = -1;
    for (int i = 0; i < count; i++) {
      if (open.isOpen(i)) {
        last = i;
        sum += weights[i];
        if (sum > mark) {
          return i;
        }
      }
    }
    // A mark just below the sum may round up to it.
    return last;
  }

  private static double greatest(float[] logits, int from, int to) {
    double max = Double.NEGATIVE_INFINITY;
    for (int i = from; i < to; i++) {
      float logit = logits[i];
      if (!Float.isFinite(logit)) {
        throw new IllegalArgumentException(
            "logit of candidate " + (i - from) + " is " + logit + ", expected a finite number");
      }
      max = Math.max(max, logit);
    }
    return max;
  }
}
