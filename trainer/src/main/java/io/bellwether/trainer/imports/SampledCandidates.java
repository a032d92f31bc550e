package io.bellwether.trainer.imports;

import io.bellwether.policy.scoring.CounterRandom;
import io.bellwether.policy.scoring.DecisionSeed;
import io.bellwether.trainer.imports.LoggedDecision.Candidate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Small sets of candidates for decisions that were made among a large pool: the item that was shown
 * and others, drawn uniformly.
 *
 * <p>Where the log's policy chose uniformly from the pool, this loses nothing but data: to draw a
 * set of m items uniformly and then one of them uniformly gives the same joint distribution as to
 * draw one item uniformly and m - 1 others to keep it company. So the shown item's propensity
 * within its set is exactly 1/m. The same decision id gives the same set. Immutable and
 * thread-safe.
 */
public final class SampledCandidates {

  private static final int PLACE = 0;
  private static final int OTHERS = 1;

  private final List<Candidate> pool;
  private final Map<String, Integer> indices = new HashMap<>();
  private final int size;

  /**
   * A set for one decision.
   *
   * @param chosen index of the item that was shown
   */
  public record Sample(List<Candidate> candidates, int chosen) {}

  /**
   * @param pool what could be shown; items with different ids
   * @param size of a set; the whole pool where that is no larger
   */
  public SampledCandidates(List<Candidate> pool, int size) {
    if (size < 1) {
      throw new ImportRefused(size + " candidates, must be at least 1");
    }
    this.pool = List.copyOf(pool);
    this.size = size;
    for (int i = 0; i < pool.size(); i++) {
      indices.put(pool.get(i).itemId(), i);
    }
  }

  /** Whether the pool has this item. */
  public boolean contains(String itemId) {
    return indices.containsKey(itemId);
  }

  /** The set of a decision that showed this item, which need not be of the pool. */
  public Sample around(Candidate shown, String decisionId) {
    Integer index = indices.get(shown.itemId());
    int others = pool.size() - (index == null ? 0 : 1);
    if (index != null && size >= pool.size()) {
      return new Sample(pool, index);
    }
    long seed = DecisionSeed.seedOf(decisionId);
    List<Candidate> candidates = new ArrayList<>();
    Set<Integer> drawn = new HashSet<>();
    // Floyd's algorithm: wanted distinct numbers below others, each set equally likely.
    int wanted = Math.min(size - 1, others);
    for (int j = others - wanted; j < others; j++) {
      int number = below(j + 1, seed, OTHERS, j);
      int taken = drawn.add(number) ? number : j;
      drawn.add(taken);
      candidates.add(pool.get(index != null && taken >= index ? taken + 1 : taken));
    }
    int place = below(candidates.size() + 1, seed, PLACE, 0);
    candidates.add(place, shown);
    return new Sample(candidates, place);
  }

  private static int below(int bound, long seed, int tag, int i) {
    return (int) (CounterRandom.uniform(seed, tag, i, 0, 0) * bound);
  }
}
