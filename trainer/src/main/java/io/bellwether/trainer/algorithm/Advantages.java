package io.bellwether.trainer.algorithm;

import java.util.Arrays;

/**
 * What followed logged actions beyond what was expected of their states, of every signal.
 *
 * <p>Source: Schulman and others, "High-Dimensional Continuous Control Using Generalized Advantage
 * Estimation", 2016. With {@code δ_t = r_t + discount · V(s_t+1) - V(s_t)} the advantage is {@code
 * Σ_k (discount · trace)^k δ_t+k}: one step's surprise at a trace of 0, the Monte-Carlo return less
 * the state's value at a trace of 1. Nothing follows the end of an episode; a row that was cut off
 * is followed by its own state, whose value is the best guess.
 *
 * @param advantages {@code [signal][row]}, in the units of the values
 * @param returns {@code [signal][row]}: the advantage and the value that it is beyond
 */
@SuppressWarnings("ArrayRecordComponent")
record Advantages(float[][] advantages, float[][] returns) {

  /**
   * Of rows whose followers are those of the policy that is valued.
   *
   * @param scale per signal, what rewards are divided by
   * @param values {@code [signal][row]}, in units of the scale
   * @param discount weight of the next row in a return, in [0, 1)
   * @param trace weight of what is known by playing on, against what was expected, in [0, 1]
   */
  static Advantages of(
      LearnerData data, float[] scale, float[][] values, double discount, double trace) {
    int[] backwards = followersFirst(data.next());
    float[][] advantages = new float[scale.length][data.rows()];
    float[][] returns = new float[scale.length][data.rows()];
    for (int signal = 0; signal < scale.length; signal++) {
      float[] value = values[signal];
      boolean[] known = new boolean[data.rows()];
      for (int row : backwards) {
        double reward = data.rewards()[row * scale.length + signal] / scale[signal];
        double surprise = reward - value[row];
        double later = 0;
        if (!data.terminated()[row]) {
          int next = data.next()[row];
          surprise += discount * value[next < 0 ? row : next];
          later = next < 0 || !known[next] ? 0 : discount * trace * advantages[signal][next];
        }
        advantages[signal][row] = (float) (surprise + later);
        returns[signal][row] = advantages[signal][row] + value[row];
        known[row] = true;
      }
    }
    return new Advantages(advantages, returns);
  }

  /** All rows, each behind the one that follows it; an episode that meets itself is cut there. */
  private static int[] followersFirst(int[] next) {
    int[] order = new int[next.length];
    boolean[] seen = new boolean[next.length];
    int[] chain = new int[next.length];
    int placed = 0;
    for (int row = 0; row < next.length; row++) {
      int length = 0;
      for (int at = row; at >= 0 && !seen[at]; at = next[at]) {
        seen[at] = true;
        chain[length++] = at;
      }
      while (length > 0) {
        order[placed++] = chain[--length];
      }
    }
    return Arrays.copyOf(order, placed);
  }
}
