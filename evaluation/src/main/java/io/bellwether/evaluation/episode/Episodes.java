package io.bellwether.evaluation.episode;

/**
 * Which decisions of a log follow one another in a session. The arrays are not copied and must not
 * change afterwards.
 *
 * @param first where each episode begins in {@code decision}, and at the end its length
 * @param decision numbers of decisions in the log, episode after episode, each from its first step
 *     on; those of one episode are of one unit
 * @param cutOff per episode, whether it did not end by itself: what came later is not in the log
 */
@SuppressWarnings("ArrayRecordComponent") // columns are shared, not compared
public record Episodes(int[] first, int[] decision, boolean[] cutOff) {

  public Episodes {
    if (first.length == 0 || first[0] != 0 || first[first.length - 1] != decision.length) {
      throw new IllegalArgumentException(
          "episodes begin at 0 and end at " + decision.length + " decisions");
    }
    if (cutOff.length != first.length - 1) {
      throw new IllegalArgumentException(
          cutOff.length + " ends of " + (first.length - 1) + " episodes");
    }
    for (int episode = 1; episode < first.length; episode++) {
      if (first[episode] <= first[episode - 1]) {
        throw new IllegalArgumentException("episode " + (episode - 1) + " has no decision");
      }
    }
  }

  public int count() {
    return first.length - 1;
  }

  /** Decisions of an episode. */
  public int steps(int episode) {
    return first[episode + 1] - first[episode];
  }

  /** How many episodes did not end by themselves. */
  public long cutOffs() {
    long count = 0;
    for (boolean each : cutOff) {
      count += each ? 1 : 0;
    }
    return count;
  }
}
