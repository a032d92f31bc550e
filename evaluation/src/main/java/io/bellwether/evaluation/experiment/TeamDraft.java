package io.bellwether.evaluation.experiment;

import java.util.Arrays;

/**
 * Two rankings interleaved as two captains pick teams: while the teams are equally large a fair
 * coin says who picks next, else the smaller team does; a captain picks its best item that is not
 * shown yet, and where it has none left the other picks. Immutable.
 *
 * <p>Source: Radlinski, Kurup and Joachims, "How Does Clickthrough Data Reflect Retrieval
 * Quality?", 2008.
 *
 * <p>The propensity of a placement is its chance given the items at the earlier positions. The
 * coins behind those are not known from the items, so it is a mean over all of them. All that
 * matters of a coin's past is how much larger one team has become, so a forward pass over that
 * difference is exact and takes slots² steps instead of 2^coins.
 */
public final class TeamDraft {
  /** The most slots for which the bits of a long are coins enough: one coin settles two slots. */
  public static final int MAX_LENGTH = 128;

  private final int[] first;
  private final int[] second;
  private final int length;
  private final int items;

  /**
   * A draft of two rankings.
   *
   * @param first candidates of the first ranking, best first, none twice
   * @param second of the second ranking; it may hold others
   * @param length slots to fill, at most {@link #MAX_LENGTH}
   */
  public TeamDraft(int[] first, int[] second, int length) {
    if (length < 0 || length > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "a slate has at most %d positions, found %d".formatted(MAX_LENGTH, length));
    }
    this.first = first.clone();
    this.second = second.clone();
    this.length = length;
    this.items = 1 + Math.max(largest(first), largest(second));
  }

  /**
   * A slate and whom to credit for it.
   *
   * @param items candidates by position; fewer than asked for when both rankings have ended
   * @param teams by position: 0 was picked by the first ranking, 1 by the second
   * @param propensities by position, in (0, 1]
   * @param coins how many were flipped
   */
  public record Draft(int[] items, int[] teams, double[] propensities, int coins) {}

  /** The slate that these coins make: bit i is coin i, and 0 lets the first ranking pick. */
  public Draft draft(long coins) {
    Board board = new Board();
    int[] shown = new int[length];
    int[] teams = new int[length];
    int flipped = 0;
    int larger = 0;
    int filled = 0;
    while (filled < length && !board.isExhausted()) {
      int captain = larger > 0 ? 1 : 0;
      if (larger == 0) {
        captain = (int) (coins >>> flipped++ & 1);
      }
      int team = board.teamOf(captain);
      shown[filled] = board.best(team);
      teams[filled] = team;
      larger += team == 0 ? 1 : -1;
      board.show(shown[filled]);
      filled++;
    }
    int[] slate = Arrays.copyOf(shown, filled);
    return new Draft(slate, Arrays.copyOf(teams, filled), propensities(slate), flipped);
  }

  /**
   * The chance of each placement of a slate given the earlier ones; 0 where no coins lead there,
   * and at all positions behind.
   */
  public double[] propensities(int[] slate) {
    double[] propensities = new double[slate.length];
    Board board = new Board();
    // chances[length + d]: that the first team is d larger, given the items so far.
    double[] chances = new double[2 * length + 1];
    chances[length] = 1;
    for (int slot = 0; slot < Math.min(slate.length, length); slot++) {
      if (board.isExhausted()) {
        return propensities;
      }
      double[] next = new double[chances.length];
      for (int index = length - slot; index <= length + slot; index++) {
        double firstPicks = index == length ? 0.5 : index < length ? 1 : 0;
        pick(board, 0, chances[index] * firstPicks, slate[slot], next, index);
        pick(board, 1, chances[index] * (1 - firstPicks), slate[slot], next, index);
      }
      double chance = Arrays.stream(next).sum();
      if (chance == 0) {
        return propensities;
      }
      propensities[slot] = Math.min(1, chance);
      for (int index = 0; index < next.length; index++) {
        chances[index] = next[index] / chance;
      }
      board.show(slate[slot]);
    }
    return propensities;
  }

  /** Adds the chance to the next difference if that captain's pick is the item. */
  private static void pick(
      Board board, int captain, double chance, int item, double[] next, int index) {
    if (chance == 0) {
      return;
    }
    int team = board.teamOf(captain);
    if (board.best(team) == item) {
      next[team == 0 ? index + 1 : index - 1] += chance;
    }
  }

  private int largest(int[] ranking) {
    int largest = -1;
    for (int item : ranking) {
      if (item < 0) {
        throw new IllegalArgumentException("candidates count from 0: " + Arrays.toString(ranking));
      }
      largest = Math.max(largest, item);
    }
    boolean[] seen = new boolean[largest + 1];
    for (int item : ranking) {
      if (seen[item]) {
        throw new IllegalArgumentException(
            "candidate %d is twice in %s".formatted(item, Arrays.toString(ranking)));
      }
      seen[item] = true;
    }
    return largest;
  }

  /** What is shown so far, and how far down each ranking that is known. Confined to one thread. */
  private final class Board {
    private final boolean[] shown = new boolean[items];
    private final int[] at = new int[2];

    boolean isExhausted() {
      return isExhausted(0) && isExhausted(1);
    }

    /** Whose item it is when that captain is to pick. */
    int teamOf(int captain) {
      return isExhausted(captain) ? 1 - captain : captain;
    }

    int best(int team) {
      return ranking(team)[at[team]];
    }

    void show(int item) {
      shown[item] = true;
      for (int team = 0; team < 2; team++) {
        while (!isExhausted(team) && shown[best(team)]) {
          at[team]++;
        }
      }
    }

    private boolean isExhausted(int team) {
      return at[team] == ranking(team).length;
    }

    private int[] ranking(int team) {
      return team == 0 ? first : second;
    }
  }
}
