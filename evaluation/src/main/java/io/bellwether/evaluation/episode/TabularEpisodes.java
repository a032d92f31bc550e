package io.bellwether.evaluation.episode;

/**
 * Logged episodes of a process whose states and actions are numbered from 0, one row per step,
 * episode after episode. The arrays are not copied and must not change afterwards.
 *
 * @param first where each episode begins, and at the end the number of rows
 * @param state per row
 * @param action that was taken there
 * @param reward that it brought
 * @param propensity with which it was taken, in (0, 1]
 * @param next state that followed; -1 where the episode ended by itself. The last row of an episode
 *     that was cut off has one too
 * @param states how many there are
 * @param actions how many there are
 */
@SuppressWarnings("ArrayRecordComponent") // columns are shared, not compared
public record TabularEpisodes(
    int[] first,
    int[] state,
    int[] action,
    double[] reward,
    double[] propensity,
    int[] next,
    int states,
    int actions) {

  public TabularEpisodes {
    int rows = first[first.length - 1];
    if (state.length != rows
        || action.length != rows
        || reward.length != rows
        || propensity.length != rows
        || next.length != rows) {
      throw new IllegalArgumentException("every column has one value for each of " + rows);
    }
    for (int row = 0; row < rows; row++) {
      if (state[row] < 0
          || state[row] >= states
          || action[row] < 0
          || action[row] >= actions
          || next[row] < -1
          || next[row] >= states) {
        throw new IllegalArgumentException("row " + row + " names a state or action unknown");
      }
      if (!Double.isFinite(reward[row]) || !(propensity[row] > 0 && propensity[row] <= 1)) {
        throw new IllegalArgumentException(
            "row %d: reward %s, propensity %s".formatted(row, reward[row], propensity[row]));
      }
    }
  }

  public int episodes() {
    return first.length - 1;
  }

  public int rows() {
    return state.length;
  }

  int longest() {
    int longest = 0;
    for (int episode = 0; episode < episodes(); episode++) {
      longest = Math.max(longest, first[episode + 1] - first[episode]);
    }
    return longest;
  }

  /** The largest magnitude of a reward. */
  double largestReward() {
    double largest = 0;
    for (double each : reward) {
      largest = Math.max(largest, Math.abs(each));
    }
    return largest;
  }

  /**
   * Refuses chances {@code [states][actions]} that are no policy.
   *
   * @throws IllegalArgumentException when one is negative or a state's do not sum to 1
   */
  void requirePolicy(double[][] chances) {
    if (chances.length != states) {
      throw new IllegalArgumentException(
          "a policy for %d states, not %d".formatted(chances.length, states));
    }
    for (double[] ofState : chances) {
      double sum = 0;
      for (double chance : ofState) {
        sum += chance;
        if (!(chance >= 0)) {
          throw new IllegalArgumentException("a chance of " + chance);
        }
      }
      if (ofState.length != actions || !(Math.abs(sum - 1) <= 1e-6)) {
        throw new IllegalArgumentException(
            "%d chances that sum to %s".formatted(ofState.length, sum));
      }
    }
  }
}
