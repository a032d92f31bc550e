package io.bellwether.trainer.gate;

import io.bellwether.evaluation.episode.Episodes;
import io.bellwether.policy.scoring.DecisionSeed;
import io.bellwether.trainer.data.TrainingRow;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * The sessions of evaluated decisions, each from its first step to where the log no longer goes on.
 * What comes after a decision that is missing belongs to no episode: the weights of the missing one
 * are not known. Confined to one thread.
 */
final class SessionEpisodes {

  private final LongBuffer id;
  private final LongBuffer next;
  private final IntBuffer step;
  private final IntBuffer terminated;
  private final boolean[] taken;
  private final int[] first;
  private final int[] ordered;
  private final boolean[] cutOff;
  private long[] keys = new long[16];
  private int[] places = new int[16];
  private int episodes;
  private int size;

  private SessionEpisodes(LongBuffer id, LongBuffer next, IntBuffer step, IntBuffer terminated) {
    this.id = id;
    this.next = next;
    this.step = step;
    this.terminated = terminated;
    int decisions = id.limit();
    this.taken = new boolean[decisions];
    this.first = new int[decisions + 1];
    this.ordered = new int[decisions];
    this.cutOff = new boolean[decisions];
  }

  /**
   * The episodes, in the order of their first decisions; decisions are numbered as they stand.
   *
   * @param id hash of the decision's id
   * @param next that of the session's next decision; 0 where none follows
   * @param step number of the decision in its session, from 0 on
   * @param terminated 1 where the session ended by itself behind the decision, else 0
   * @param unit hash of the subject; decisions of one subject stand together
   */
  static Episodes of(
      LongBuffer id, LongBuffer next, IntBuffer step, IntBuffer terminated, LongBuffer unit) {
    SessionEpisodes sessions = new SessionEpisodes(id, next, step, terminated);
    int from = 0;
    while (from < unit.limit()) {
      int to = from + 1;
      while (to < unit.limit() && unit.get(to) == unit.get(from)) {
        to++;
      }
      sessions.link(from, to);
      from = to;
    }
    return sessions.result();
  }

  /** The same of decisions in any order. */
  static Episodes of(List<EvaluatedDecision> decisions) {
    int count = decisions.size();
    LongBuffer id = LongBuffer.allocate(count);
    LongBuffer next = LongBuffer.allocate(count);
    IntBuffer step = IntBuffer.allocate(count);
    IntBuffer terminated = IntBuffer.allocate(count);
    for (int number = 0; number < count; number++) {
      EvaluatedDecision decision = decisions.get(number);
      // all rows of a decision end alike
      TrainingRow end = decision.rows().get(0);
      id.put(number, DecisionSeed.seedOf(decision.id()));
      next.put(
          number, end.nextDecisionId().isEmpty() ? 0 : DecisionSeed.seedOf(end.nextDecisionId()));
      step.put(number, decision.step());
      terminated.put(number, end.terminated() ? 1 : 0);
    }
    SessionEpisodes sessions = new SessionEpisodes(id, next, step, terminated);
    sessions.link(0, count);
    return sessions.result();
  }

  /** Adds the episodes of a range that holds all decisions of its sessions. */
  private void link(int from, int to) {
    index(from, to);
    for (int head = from; head < to; head++) {
      if (step.get(head) == 0 && !taken[head]) {
        int last = head;
        for (int at = head; at >= 0 && !taken[at]; at = find(next.get(at))) {
          taken[at] = true;
          ordered[size++] = at;
          last = at;
        }
        cutOff[episodes] = terminated.get(last) == 0;
        first[++episodes] = size;
      }
    }
  }

  /** An open-addressed table of the range: {@code places} hold a number + 1, or 0. */
  private void index(int from, int to) {
    int capacity = Integer.highestOneBit(Math.max(4, to - from)) * 4;
    if (keys.length == capacity) {
      Arrays.fill(places, 0);
    } else {
      keys = new long[capacity];
      places = new int[capacity];
    }
    for (int number = from; number < to; number++) {
      int slot = slot(id.get(number));
      keys[slot] = id.get(number);
      places[slot] = number + 1;
    }
  }

  private int find(long wanted) {
    return wanted == 0 ? -1 : places[slot(wanted)] - 1;
  }

  private int slot(long key) {
    int slot = (int) ((key * 0x9E3779B97F4A7C15L) >>> 33) & (keys.length - 1);
    while (places[slot] != 0 && keys[slot] != key) {
      slot = (slot + 1) & (keys.length - 1);
    }
    return slot;
  }

  private Episodes result() {
    return new Episodes(
        Arrays.copyOf(first, episodes + 1),
        Arrays.copyOf(ordered, size),
        Arrays.copyOf(cutOff, episodes));
  }
}
