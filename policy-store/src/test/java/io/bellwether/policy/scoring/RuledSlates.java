package io.bellwether.policy.scoring;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The slow obvious version of slates under rules: all of them, one by one. */
final class RuledSlates {

  private RuledSlates() {}

  /** Every slate of this size that keeps the rules, in lexicographic order. */
  static List<int[]> all(SlateRules rules, int candidates, int size) {
    List<int[]> found = new ArrayList<>();
    extend(rules, candidates, new int[size], 0, found);
    return found;
  }

  private static void extend(
      SlateRules rules, int candidates, int[] slate, int filled, List<int[]> found) {
    if (filled == slate.length) {
      if (keeps(rules, slate)) {
        found.add(slate.clone());
      }
      return;
    }
    for (int i = 0; i < candidates; i++) {
      if (!contains(slate, filled, i)) {
        slate[filled] = i;
        extend(rules, candidates, slate, filled + 1, found);
      }
    }
  }

  private static boolean contains(int[] slate, int filled, int candidate) {
    for (int position = 0; position < filled; position++) {
      if (slate[position] == candidate) {
        return true;
      }
    }
    return false;
  }

  /** Whether a slate keeps every rule. */
  static boolean keeps(SlateRules rules, int[] slate) {
    for (SlateRules.Pin pin : rules.pins()) {
      if (slate[pin.position()] != pin.candidate()) {
        return false;
      }
    }
    return rules.groupings().stream().allMatch(grouping -> keeps(grouping, slate));
  }

  private static boolean keeps(SlateRules.Grouping grouping, int[] slate) {
    int[] count = new int[grouping.groupCount()];
    for (int position = 0; position < slate.length; position++) {
      int group = grouping.groups()[slate[position]];
      if (group < 0) {
        continue;
      }
      count[group]++;
      for (int before = Math.max(0, position - grouping.apart()); before < position; before++) {
        if (grouping.groups()[slate[before]] == group) {
          return false;
        }
      }
    }
    for (int group = 0; group < count.length; group++) {
      int least = group < grouping.atLeast().length ? grouping.atLeast()[group] : 0;
      if (count[group] > grouping.atMost() || count[group] < least) {
        return false;
      }
    }
    return true;
  }

  /** Who may follow a prefix so that some slate begins like this. */
  static Set<Integer> open(List<int[]> slates, int[] prefix, int filled) {
    Set<Integer> open = new HashSet<>();
    for (int[] slate : slates) {
      if (Arrays.equals(slate, 0, filled, prefix, 0, filled)) {
        open.add(slate[filled]);
      }
    }
    return open;
  }

  /** The chance of each placement of a slate, by enumeration. */
  static double[] propensities(List<int[]> slates, double[] weights, int[] slate) {
    double[] propensities = new double[slate.length];
    for (int position = 0; position < slate.length; position++) {
      double all = 0;
      for (int candidate : open(slates, slate, position)) {
        all += weights[candidate];
      }
      propensities[position] = weights[slate[position]] / all;
    }
    return propensities;
  }

  /** Rules of every kind that a seed stands for, over this many candidates and positions. */
  static SlateRules random(long seed, int candidates, int size) {
    List<SlateRules.Pin> pins = new ArrayList<>();
    int pinned = below(seed, 0, 3);
    for (int i = 0; i < pinned && i < size && i < candidates; i++) {
      int position = below(seed, 10 + i, size);
      int candidate = below(seed, 20 + i, candidates);
      if (pins.stream().noneMatch(p -> p.position() == position || p.candidate() == candidate)) {
        pins.add(new SlateRules.Pin(position, candidate));
      }
    }
    List<SlateRules.Grouping> groupings = new ArrayList<>();
    int number = below(seed, 1, 4);
    for (int g = 0; g < number; g++) {
      int groups = 1 + below(seed, 30 + g, 4);
      int[] group = new int[candidates];
      for (int i = 0; i < candidates; i++) {
        group[i] = below(seed, 100 + 50 * g + i, groups + 1) - 1;
      }
      int[] least = new int[below(seed, 40 + g, 2) == 0 ? 0 : groups];
      for (int x = 0; x < least.length; x++) {
        least[x] = below(seed, 400 + 50 * g + x, 3) / 2;
      }
      groupings.add(
          new SlateRules.Grouping(
              "rule " + g,
              group,
              below(seed, 50 + g, 2) == 0 ? SlateRules.ANY_NUMBER : 1 + below(seed, 60 + g, 3),
              below(seed, 70 + g, 3) == 0 ? 1 + below(seed, 80 + g, 2) : 0,
              least));
    }
    return new SlateRules(pins, groupings);
  }

  private static int below(long seed, int what, int bound) {
    return (int) (CounterRandom.uniform(seed, 77, what, 0, 0) * bound);
  }
}
