package io.bellwether.policy.scoring;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a slate has to keep to beside its weights: items that stand at fixed positions, and groups
 * of candidates with a most, a least and a distance. Which candidates may stand at a position given
 * the earlier ones follows from the rules alone, never from weights ({@link OpenCandidates}), so
 * that every policy is bound alike. Immutable, but for arrays that are taken over and not copied.
 *
 * @param pins items with a position of their own; no position and no candidate twice
 * @param groupings groups of candidates with what holds for each
 */
public record SlateRules(List<Pin> pins, List<Grouping> groupings) {

  /** No rules: everybody who is not placed yet may stand anywhere. */
  public static final SlateRules NONE = new SlateRules(List.of(), List.of());

  /** An {@link Grouping#atMost} that binds nothing. */
  public static final int ANY_NUMBER = Integer.MAX_VALUE;

  /** A group that no rule binds: that of candidates in none. */
  public static final int NO_GROUP = -1;

  public SlateRules {
    pins = List.copyOf(pins);
    groupings = List.copyOf(groupings);
    Set<Integer> positions = new HashSet<>();
    Set<Integer> candidates = new HashSet<>();
    for (Pin pin : pins) {
      if (!positions.add(pin.position)) {
        throw new IllegalArgumentException("position " + pin.position + " is pinned twice");
      }
      if (!candidates.add(pin.candidate)) {
        throw new IllegalArgumentException("candidate " + pin.candidate + " is pinned twice");
      }
    }
    for (Grouping grouping : groupings) {
      if (grouping.groups.length != groupings.get(0).groups.length) {
        throw new IllegalArgumentException(
            "%s groups %d candidates, %s %d"
                .formatted(
                    grouping.rule,
                    grouping.groups.length,
                    groupings.get(0).rule,
                    groupings.get(0).groups.length));
      }
    }
  }

  /**
   * An item that stands at one position and nowhere else.
   *
   * @param position 0-based
   * @param candidate index into the request's candidates
   */
  public record Pin(int position, int candidate) {
    public Pin {
      if (position < 0 || candidate < 0) {
        throw new IllegalArgumentException(
            "candidate %d pinned to position %d".formatted(candidate, position));
      }
    }
  }

  /**
   * Candidates by group, and what holds for each group.
   *
   * @param rule a name for people
   * @param groups {@code [candidates]}, the group of each, or {@link #NO_GROUP}
   * @param atMost most positions of one group, at least 1
   * @param apart positions that must lie between two of one group
   * @param atLeast {@code [groups]}, least positions of each group; empty: none is asked for
   */
  @SuppressWarnings("ArrayRecordComponent") // carried, not compared
  public record Grouping(String rule, int[] groups, int atMost, int apart, int[] atLeast) {
    public Grouping {
      if (atMost < 1 || apart < 0) {
        throw new IllegalArgumentException(
            "%s: at most %d, %d apart".formatted(rule, atMost, apart));
      }
      for (int group : groups) {
        if (group < NO_GROUP) {
          throw new IllegalArgumentException(rule + ": group " + group);
        }
      }
      for (int least : atLeast) {
        if (least < 0) {
          throw new IllegalArgumentException(rule + ": at least " + least);
        }
      }
    }

    /** How many groups there are, those without a candidate included. */
    int groupCount() {
      int count = atLeast.length;
      for (int group : groups) {
        count = Math.max(count, group + 1);
      }
      return count;
    }

    Grouping with(int otherMost, int otherApart, int[] otherLeast) {
      return new Grouping(rule, groups, otherMost, otherApart, otherLeast);
    }
  }

  /** Whether nothing is bound. */
  public boolean isNone() {
    return pins.isEmpty() && groupings.isEmpty();
  }
}
