package io.bellwether.trainer.gate;

import io.bellwether.evaluation.offpolicy.Episodes;
import io.bellwether.trainer.data.TrainingRow;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The sessions of evaluated decisions, each from its first step to where the log no longer goes on.
 * What comes after a decision that is missing belongs to no episode: the weights of the missing one
 * are not known.
 */
final class SessionEpisodes {

  private SessionEpisodes() {}

  /** The episodes, in the order of their first decisions; decisions are numbered as they stand. */
  static Episodes of(List<EvaluatedDecision> decisions) {
    Map<String, Integer> numbers = new HashMap<>();
    for (int number = 0; number < decisions.size(); number++) {
      numbers.put(decisions.get(number).id(), number);
    }
    int[] first = new int[decisions.size() + 1];
    int[] ordered = new int[decisions.size()];
    boolean[] taken = new boolean[decisions.size()];
    int episodes = 0;
    int size = 0;
    long cutOff = 0;
    for (int head = 0; head < ordered.length; head++) {
      if (decisions.get(head).step() == 0 && !taken[head]) {
        int last = head;
        for (int at = head; at >= 0 && !taken[at]; at = next(decisions.get(at), numbers)) {
          taken[at] = true;
          ordered[size++] = at;
          last = at;
        }
        first[++episodes] = size;
        cutOff += end(decisions.get(last)).terminated() ? 0 : 1;
      }
    }
    return new Episodes(Arrays.copyOf(first, episodes + 1), Arrays.copyOf(ordered, size), cutOff);
  }

  private static int next(EvaluatedDecision decision, Map<String, Integer> numbers) {
    return numbers.getOrDefault(end(decision).nextDecisionId(), -1);
  }

  /** All rows of a decision end alike. */
  private static TrainingRow end(EvaluatedDecision decision) {
    return decision.rows().get(0);
  }
}
