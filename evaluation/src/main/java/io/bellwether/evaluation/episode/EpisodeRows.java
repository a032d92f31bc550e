package io.bellwether.evaluation.episode;

import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import io.bellwether.evaluation.offpolicy.UnitIndex;
import java.util.Arrays;

/**
 * Where the steps of logged episodes stand in columns of rows: a step is one decision, a row one of
 * its positions. The arrays are not copied and must not change afterwards.
 *
 * @param first where each episode's steps begin, and at the end the number of steps
 * @param from first row of each step
 * @param to row behind the last of each step
 * @param units which episodes are of one subject
 * @param rows length of the columns
 */
@SuppressWarnings("ArrayRecordComponent") // columns are shared, not compared
record EpisodeRows(int[] first, int[] from, int[] to, UnitIndex units, int rows) {

  static EpisodeRows of(LoggedDecisions log, Episodes episodes) {
    int[] decision = episodes.decision();
    int[] from = new int[decision.length];
    int[] to = new int[decision.length];
    for (int step = 0; step < decision.length; step++) {
      from[step] = log.firstRow(decision[step]);
      to[step] = log.firstRow(decision[step] + 1);
    }
    long[] unit = new long[episodes.count()];
    Arrays.setAll(unit, episode -> log.unit(decision[episodes.first()[episode]]));
    return new EpisodeRows(episodes.first(), from, to, UnitIndex.of(unit), log.rows());
  }

  /** One row per step, in the order of the steps. */
  static EpisodeRows single(int[] first, long[] unitOfEpisode) {
    int rows = first[first.length - 1];
    int[] from = new int[rows];
    int[] to = new int[rows];
    Arrays.setAll(from, row -> row);
    Arrays.setAll(to, row -> row + 1);
    return new EpisodeRows(first, from, to, UnitIndex.of(unitOfEpisode), rows);
  }

  int episodes() {
    return first.length - 1;
  }

  int steps(int episode) {
    return first[episode + 1] - first[episode];
  }

  /** Steps of the longest episode; 0 without episodes. */
  int longest() {
    int longest = 0;
    for (int episode = 0; episode < episodes(); episode++) {
      longest = Math.max(longest, steps(episode));
    }
    return longest;
  }

  /** Rows of the longest step; 1 without steps. */
  int positions() {
    int positions = 1;
    for (int step = 0; step < from.length; step++) {
      positions = Math.max(positions, to[step] - from[step]);
    }
    return positions;
  }
}
