package io.bellwether.loadtest.people;

import java.util.Arrays;
import java.util.List;

/**
 * The pending decisions of several sessions, ragged: row r's candidates stand at {@code offset(r)}
 * up to, not including, {@code offset(r + 1)}. Immutable.
 */
public final class DecisionBatch {
  private final List<VisibleState> states;
  private final int[] offsets;
  private final int[] items;

  private DecisionBatch(List<VisibleState> states, int[] offsets, int[] items) {
    this.states = states;
    this.offsets = offsets;
    this.items = items;
  }

  /** What these sessions have to decide next. */
  public static DecisionBatch of(List<Session> sessions) {
    int[] offsets = new int[sessions.size() + 1];
    int[][] candidates = new int[sessions.size()][];
    for (int row = 0; row < candidates.length; row++) {
      candidates[row] = sessions.get(row).candidates();
      offsets[row + 1] = offsets[row] + candidates[row].length;
    }
    int[] items = Arrays.stream(candidates).flatMapToInt(Arrays::stream).toArray();
    return new DecisionBatch(sessions.stream().map(Session::visible).toList(), offsets, items);
  }

  /** Number of decisions. */
  public int rows() {
    return states.size();
  }

  /** Number of candidates of all rows together. */
  public int size() {
    return items.length;
  }

  public VisibleState state(int row) {
    return states.get(row);
  }

  /** Where row {@code row} starts; {@code offset(rows())} is {@link #size()}. */
  public int offset(int row) {
    return offsets[row];
  }

  /** The video at a place from 0 to {@link #size()} - 1. */
  public int item(int place) {
    return items[place];
  }
}
