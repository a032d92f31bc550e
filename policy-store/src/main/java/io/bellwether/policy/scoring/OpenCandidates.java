package io.bellwether.policy.scoring;

import java.util.Arrays;

/**
 * Which candidates may stand at each position of a slate, given those that stand before it: those
 * with whom the rest of the slate can still keep every rule. A slate that is filled from them never
 * runs into a dead end, and its sequence of open sets is a function of the rules and of the slate
 * alone, so that a chance under it, weight over the weights of the open ones, is exact and can be
 * computed again, also for another policy.
 *
 * <p>Use: {@link #begin}, then per position {@link #isOpen} and {@link #place}. Mutable, reuses its
 * memory, confined to one thread.
 */
public final class OpenCandidates {

  /*
   * Candidates with the same groups in all groupings are interchangeable: a class. State is kept per
   * class k and per group x (groups of all groupings are numbered through):
   *
   *   count[x]   placed ones of the group, and pinned ones from the beginning
   *   needSum[g] sum over the grouping's groups of max(0, least[x] - count[x])
   *   left       positions that are neither filled nor pinned
   *
   * With one grouping that asks for no distance, a class may stand here if and only if its group has
   * room and the needs of the others still fit in the positions after it: needSum <= left - 1. That
   * there are enough candidates was checked at the beginning and holds ever after: whoever is placed
   * takes one from what its group still has, min(atMost - count, candidates left), and one position.
   *
   * Otherwise a completion is looked for. One for the current position, the witness, is always at
   * hand: by exchanging up to three of its places most classes are seen to be open. For the others a
   * depth-first search tries classes with an unmet need first, then those of the groups with most
   * left. It is complete but for a bound on its effort; a class for which the bound is reached is
   * closed. Whether it is counts nothing but steps, so that it comes out alike everywhere, and the
   * class that the witness has here is always open: there is no dead end in either case.
   */

  private static final int EMPTY = -2;

  /** Classes that one search may look at beyond a few passes over all of them. */
  private static final long SEARCH_STEPS = 4096;

  /** Classes that all searches of one slate may look at together: a few milliseconds at worst. */
  private static final long SLATE_STEPS = 200_000;

  private int candidates;
  private int size;
  private int groupings;
  private int classes;
  private int position;
  private int left;
  private boolean counting;
  private boolean spacing;
  private long slateSteps;
  private long steps;
  private long limit;

  private int[] pinAt = new int[0];
  private int[] atMost = new int[0];
  private int[] apart = new int[0];
  private int[] needSum = new int[0];
  private int[] base = new int[0];
  private long[] barred = new long[0];
  private long mark;
  private int[] count = new int[0];
  private int[] avail = new int[0];
  private int[] least = new int[0];
  private int[] total = new int[0];
  private int[] classOf = new int[0];
  private int[] classGroup = new int[0];
  private int[] remaining = new int[0];
  private int[] groupAt = new int[0];
  private int[] witness = new int[0];
  private int[] plan = new int[0];
  private boolean[] tried = new boolean[0];
  private boolean[] openClass = new boolean[0];
  private boolean[] open = new boolean[0];
  private boolean[] placed = new boolean[0];
  private long[] classKeys = new long[0];
  private int[] classIds = new int[0];

  /**
   * Begins a slate.
   *
   * @param size positions to fill, at most the number of candidates
   * @throws IllegalArgumentException where the rules are not about these candidates and positions,
   *     or no slate is found that keeps them
   */
  public void begin(SlateRules rules, int candidates, int size) {
    if (!canBegin(rules, candidates, size, Long.MAX_VALUE)) {
      throw new IllegalArgumentException(
          "no slate of %d of %d candidates keeps the rules".formatted(size, candidates));
    }
    findOpen();
  }

  /** Whether a slate of this size is found that keeps all rules. */
  public boolean canKeep(SlateRules rules, int candidates, int size) {
    return canBegin(rules, candidates, size, Long.MAX_VALUE);
  }

  /**
   * The same with bounded patience: true only where {@link #begin} finds a slate as well.
   *
   * @param most classes that may be looked at
   */
  boolean canKeep(SlateRules rules, int candidates, int size, long most) {
    return canBegin(rules, candidates, size, most);
  }

  /** Classes that the last search has looked at. */
  long steps() {
    return steps;
  }

  /** Whether a candidate may stand at the position that is to be filled next. */
  public boolean isOpen(int candidate) {
    return open[candidate];
  }

  /** The position that is to be filled next. */
  public int position() {
    return position;
  }

  /**
   * Fills the next position.
   *
   * @throws IllegalArgumentException where the candidate is not open
   */
  public void place(int candidate) {
    if (position == size || candidate < 0 || candidate >= candidates || !open[candidate]) {
      throw new IllegalArgumentException(
          "candidate %d may not stand at position %d".formatted(candidate, position));
    }
    placed[candidate] = true;
    if (pinAt[position] < 0) {
      int chosen = classOf[candidate];
      if (!counting) {
        prepareExchange();
        limit = searchSteps();
        if (!completes(chosen)) {
          throw new IllegalStateException("an open candidate has lost its completion");
        }
        System.arraycopy(plan, position, witness, position, size - position);
      }
      put(chosen, position);
    }
    position++;
    findOpen();
  }

  /** Sum of the values of the open candidates, in the order of candidates. */
  double sumOfOpen(double[] values) {
    double sum = 0;
    for (int i = 0; i < candidates; i++) {
      if (open[i]) {
        sum += values[i];
      }
    }
    return sum;
  }

  private boolean canBegin(SlateRules rules, int ofCandidates, int ofPositions, long most) {
    candidates = ofCandidates;
    size = ofPositions;
    position = 0;
    slateSteps = SLATE_STEPS;
    steps = 0;
    groupings = rules.groupings().size();
    if (size > candidates) {
      throw new IllegalArgumentException(size + " positions for " + candidates + " candidates");
    }
    readGroupings(rules);
    readPins(rules);
    findClasses(rules);
    counting = groupings <= 1 && !spacing;
    if (!pinsFit() || !countsFit()) {
      return false;
    }
    if (counting) {
      return true;
    }
    limit = Math.min(most, Math.max(searchSteps(), SLATE_STEPS));
    boolean found = complete(0);
    System.arraycopy(plan, 0, witness, 0, size);
    return found;
  }

  private void readGroupings(SlateRules rules) {
    atMost = grown(atMost, groupings);
    apart = grown(apart, groupings);
    needSum = grown(needSum, groupings);
    base = grown(base, groupings + 1);
    spacing = false;
    base[0] = 0;
    for (int g = 0; g < groupings; g++) {
      SlateRules.Grouping grouping = rules.groupings().get(g);
      if (grouping.groups().length != candidates) {
        throw new IllegalArgumentException(
            "%s groups %d candidates, there are %d"
                .formatted(grouping.rule(), grouping.groups().length, candidates));
      }
      atMost[g] = grouping.atMost();
      apart[g] = Math.min(grouping.apart(), size);
      spacing |= apart[g] > 0;
      base[g + 1] = base[g] + grouping.groupCount();
    }
    int groups = base[groupings];
    count = grown(count, groups);
    avail = grown(avail, groups);
    least = grown(least, groups);
    total = grown(total, groups);
    if (barred.length < groups) {
      barred = new long[groups];
    }
    Arrays.fill(count, 0, groups, 0);
    Arrays.fill(avail, 0, groups, 0);
    Arrays.fill(least, 0, groups, 0);
    for (int g = 0; g < groupings; g++) {
      int[] wanted = rules.groupings().get(g).atLeast();
      System.arraycopy(wanted, 0, least, base[g], wanted.length);
    }
  }

  private void readPins(SlateRules rules) {
    pinAt = grown(pinAt, size);
    witness = grown(witness, size);
    plan = grown(plan, size);
    classOf = grown(classOf, candidates);
    groupAt = grown(groupAt, groupings * size);
    if (open.length < candidates) {
      open = new boolean[candidates];
      placed = new boolean[candidates];
    }
    Arrays.fill(placed, 0, candidates, false);
    Arrays.fill(pinAt, 0, size, -1);
    Arrays.fill(classOf, 0, candidates, 0);
    Arrays.fill(groupAt, 0, groupings * size, EMPTY);
    left = size - rules.pins().size();
    for (SlateRules.Pin pin : rules.pins()) {
      if (pin.position() >= size || pin.candidate() >= candidates) {
        throw new IllegalArgumentException(
            "candidate %d of %d is pinned to position %d of %d"
                .formatted(pin.candidate(), candidates, pin.position(), size));
      }
      pinAt[pin.position()] = pin.candidate();
      classOf[pin.candidate()] = -1;
      for (int g = 0; g < groupings; g++) {
        int group = flat(g, rules.groupings().get(g).groups()[pin.candidate()]);
        groupAt[g * size + pin.position()] = group;
        if (group >= 0) {
          count[group]++;
        }
      }
    }
  }

  private int flat(int grouping, int group) {
    return group < 0 ? SlateRules.NO_GROUP : base[grouping] + group;
  }

  /** Numbers the classes of the candidates that are not pinned, one grouping after the other. */
  private void findClasses(SlateRules rules) {
    classes = 1;
    for (int g = 0; g < groupings; g++) {
      refine(rules.groupings().get(g).groups());
    }
    classGroup = grown(classGroup, classes * groupings);
    remaining = grown(remaining, classes);
    Arrays.fill(remaining, 0, classes, 0);
    if (openClass.length < classes) {
      openClass = new boolean[classes];
    }
    if (tried.length < classes * size) {
      tried = new boolean[classes * size];
    }
    for (int i = 0; i < candidates; i++) {
      int k = classOf[i];
      if (k < 0) {
        continue;
      }
      remaining[k]++;
      for (int g = 0; g < groupings; g++) {
        int group = flat(g, rules.groupings().get(g).groups()[i]);
        classGroup[k * groupings + g] = group;
        if (group >= 0) {
          avail[group]++;
        }
      }
    }
  }

  /**
   * Splits classes by a grouping: a table with open addressing from (class, group) to its number.
   */
  private void refine(int[] groups) {
    int slots = Integer.highestOneBit(Math.max(candidates, 1)) << 2;
    if (classKeys.length < slots) {
      classKeys = new long[slots];
      classIds = new int[slots];
    }
    Arrays.fill(classKeys, 0, slots, -1);
    int found = 0;
    for (int i = 0; i < candidates; i++) {
      if (classOf[i] < 0) {
        continue;
      }
      long key = ((long) classOf[i] << 32) | (groups[i] + 1);
      int slot = (int) ((key * 0x9E3779B97F4A7C15L) >>> 40) & (slots - 1);
      while (classKeys[slot] != -1 && classKeys[slot] != key) {
        slot = (slot + 1) & (slots - 1);
      }
      if (classKeys[slot] == -1) {
        classKeys[slot] = key;
        classIds[slot] = found++;
      }
      classOf[i] = classIds[slot];
    }
    classes = Math.max(found, 1);
  }

  private boolean pinsFit() {
    for (int g = 0; g < groupings; g++) {
      for (int group = base[g]; group < base[g + 1]; group++) {
        if (count[group] > atMost[g]) {
          return false;
        }
      }
      for (int at = 0; at < size; at++) {
        if (pinAt[at] >= 0 && !isApart(g, groupAt[g * size + at], at)) {
          return false;
        }
      }
    }
    return true;
  }

  /** What must hold of every grouping alone; for one without a distance it is enough. */
  private boolean countsFit() {
    for (int g = 0; g < groupings; g++) {
      long room = 0;
      needSum[g] = 0;
      int grouped = 0;
      for (int group = base[g]; group < base[g + 1]; group++) {
        int most = Math.min(atMost[g] - count[group], avail[group]);
        int need = Math.max(0, least[group] - count[group]);
        if (need > most) {
          return false;
        }
        needSum[g] += need;
        room += most;
        grouped += avail[group];
      }
      int free = 0;
      for (int k = 0; k < classes; k++) {
        free += remaining[k];
      }
      if (needSum[g] > left || room + free - grouped < left) {
        return false;
      }
    }
    return true;
  }

  private long searchSteps() {
    return 2L * size * classes + SEARCH_STEPS;
  }

  private void findOpen() {
    Arrays.fill(open, 0, candidates, false);
    if (position == size) {
      return;
    }
    if (pinAt[position] >= 0) {
      open[pinAt[position]] = true;
      return;
    }
    if (!counting) {
      prepareExchange();
    }
    barNeighbours(position);
    for (int k = 0; k < classes; k++) {
      openClass[k] = remaining[k] > 0 && fits(k);
    }
    for (int k = 0; k < classes && !counting; k++) {
      openClass[k] = openClass[k] && completesInTime(k);
    }
    for (int i = 0; i < candidates; i++) {
      open[i] = classOf[i] >= 0 && !placed[i] && openClass[classOf[i]];
    }
  }

  private boolean completesInTime(int k) {
    limit = Math.min(slateSteps, searchSteps());
    boolean found = completes(k);
    slateSteps -= steps;
    return found;
  }

  /** Marks the groups of those who stand too near to a position for another one of them. */
  private void barNeighbours(int at) {
    mark++;
    for (int g = 0; g < groupings; g++) {
      int to = Math.min(size - 1, at + apart[g]);
      for (int other = Math.max(0, at - apart[g]); other <= to; other++) {
        int group = groupAt[g * size + other];
        if (other != at && group >= 0) {
          barred[group] = mark;
        }
      }
    }
  }

  /**
   * Whether a class may stand at the position whose neighbours were barred last, as far as its own
   * groups and all needs tell.
   */
  private boolean fits(int k) {
    for (int g = 0; g < groupings; g++) {
      int group = classGroup[k * groupings + g];
      if ((group < 0 || count[group] >= least[group]) && needSum[g] >= left) {
        return false;
      }
      if (group >= 0 && (count[group] >= atMost[g] || barred[group] == mark)) {
        return false;
      }
    }
    return true;
  }

  private boolean isApart(int g, int group, int at) {
    if (apart[g] == 0 || group < 0) {
      return true;
    }
    int to = Math.min(size - 1, at + apart[g]);
    for (int other = Math.max(0, at - apart[g]); other <= to; other++) {
      if (other != at && groupAt[g * size + other] == group) {
        return false;
      }
    }
    return true;
  }

  /** Sets {@code total}: what each group has with the witness. */
  private void prepareExchange() {
    System.arraycopy(count, 0, total, 0, base[groupings]);
    for (int at = position; at < size; at++) {
      if (pinAt[at] < 0) {
        for (int g = 0; g < groupings; g++) {
          int group = classGroup[witness[at] * groupings + g];
          if (group >= 0) {
            total[group]++;
          }
        }
      }
    }
  }

  /**
   * Whether the slate can be completed with a class at the current position; then {@code
   * plan[position..size)} says how.
   */
  private boolean completes(int k) {
    steps = 0;
    if (exchanges(k)) {
      return true;
    }
    put(k, position);
    boolean found = complete(position + 1);
    take(k, position);
    plan[position] = k;
    return found;
  }

  /**
   * Whether the witness holds with this class here: as it is, with two places swapped, with this
   * class for that of this place, or with that one moved to the place of a third.
   */
  private boolean exchanges(int k) {
    System.arraycopy(witness, position, plan, position, size - position);
    int before = plan[position];
    if (before == k) {
      return true;
    }
    int used = 0;
    for (int at = position + 1; at < size; at++) {
      if (pinAt[at] >= 0 || plan[at] != k) {
        continue;
      }
      used++;
      plan[at] = before;
      plan[position] = k;
      if (isSpaced(position) && isSpaced(at)) {
        return true;
      }
      plan[at] = k;
      plan[position] = before;
    }
    if (remaining[k] <= used) {
      return false;
    }
    plan[position] = k;
    if (balances(before, k) && isSpaced(position)) {
      return true;
    }
    for (int at = position + 1; at < size; at++) {
      int gone = plan[at];
      if (pinAt[at] >= 0 || gone == before || !balances(gone, k)) {
        continue;
      }
      plan[at] = before;
      if (isSpaced(position) && isSpaced(at)) {
        return true;
      }
      plan[at] = gone;
    }
    return false;
  }

  /** Whether all counts of the witness hold with one class in place of another. */
  private boolean balances(int before, int k) {
    for (int g = 0; g < groupings; g++) {
      int gone = classGroup[before * groupings + g];
      int come = classGroup[k * groupings + g];
      if (gone == come) {
        continue;
      }
      if (come >= 0 && total[come] >= atMost[g]) {
        return false;
      }
      if (gone >= 0 && total[gone] <= least[gone]) {
        return false;
      }
    }
    return true;
  }

  /** Whether the plan's class at a position keeps its distances to the slate and the plan. */
  private boolean isSpaced(int at) {
    if (!spacing) {
      return true;
    }
    for (int g = 0; g < groupings; g++) {
      int group = classGroup[plan[at] * groupings + g];
      if (group < 0 || apart[g] == 0) {
        continue;
      }
      int to = Math.min(size - 1, at + apart[g]);
      for (int other = Math.max(0, at - apart[g]); other <= to; other++) {
        if (other != at && groupInPlan(g, other) == group) {
          return false;
        }
      }
    }
    return true;
  }

  private int groupInPlan(int g, int at) {
    int known = groupAt[g * size + at];
    return known == EMPTY ? classGroup[plan[at] * groupings + g] : known;
  }

  /** Fills {@code plan[from..size)} where the rest of the slate can keep the rules. */
  private boolean complete(int from) {
    int at = from;
    while (at < size && pinAt[at] >= 0) {
      at++;
    }
    if (at == size) {
      return true;
    }
    int row = at * classes;
    Arrays.fill(tried, row, row + classes, false);
    while (true) {
      steps += classes;
      if (steps > limit) {
        return false;
      }
      int next = mostUrgent(at, row);
      if (next < 0) {
        return false;
      }
      tried[row + next] = true;
      put(next, at);
      plan[at] = next;
      boolean found = complete(at + 1);
      take(next, at);
      if (found) {
        return true;
      }
    }
  }

  private int mostUrgent(int at, int row) {
    barNeighbours(at);
    int best = -1;
    long bestUrgency = -1;
    for (int k = 0; k < classes; k++) {
      if (tried[row + k] || remaining[k] == 0 || !fits(k)) {
        continue;
      }
      long urgency = 0;
      for (int g = 0; g < groupings; g++) {
        int group = classGroup[k * groupings + g];
        if (group >= 0) {
          urgency += count[group] < least[group] ? 1 << 20 : 0;
          urgency += Math.min(avail[group], atMost[g] - count[group]);
        }
      }
      if (urgency > bestUrgency) {
        bestUrgency = urgency;
        best = k;
      }
    }
    return best;
  }

  private void put(int k, int at) {
    remaining[k]--;
    left--;
    for (int g = 0; g < groupings; g++) {
      int group = classGroup[k * groupings + g];
      groupAt[g * size + at] = group;
      if (group >= 0) {
        needSum[g] -= count[group] < least[group] ? 1 : 0;
        count[group]++;
        avail[group]--;
      }
    }
  }

  private void take(int k, int at) {
    remaining[k]++;
    left++;
    for (int g = 0; g < groupings; g++) {
      int group = classGroup[k * groupings + g];
      groupAt[g * size + at] = EMPTY;
      if (group >= 0) {
        count[group]--;
        avail[group]++;
        needSum[g] += count[group] < least[group] ? 1 : 0;
      }
    }
  }

  private static int[] grown(int[] array, int length) {
    return array.length < length ? new int[Math.max(length, 2 * array.length)] : array;
  }
}
