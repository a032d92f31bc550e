package io.bellwether.evaluation.offpolicy;

import io.bellwether.evaluation.CompensatedSums;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The decisions that an evaluation rests on most.
 *
 * @param heavy by weight, the largest first; of equal weights the earlier decision first
 */
public record LargestWeights(List<Heavy> heavy) {

  private static final Comparator<Heavy> LARGEST_FIRST =
      Comparator.comparingDouble(Heavy::weight).reversed().thenComparingInt(Heavy::number);

  /**
   * A decision with its weight.
   *
   * @param number its place in the log
   * @param decision its number in the log's column of decisions
   * @param weight of the slate as a whole
   * @param share of the weight of all decisions, 0 where that is 0
   * @param logging product of the propensities of its rows
   * @param reward sum over its positions
   */
  public record Heavy(
      int number, int decision, double weight, double share, double logging, double reward) {

    /** The target's probability of the slate, as its weight has it. */
    public double target() {
      return weight * logging;
    }
  }

  public LargestWeights {
    heavy = List.copyOf(heavy);
  }

  /** The {@code most} largest, at least 1, fewer where there are fewer decisions. */
  public static LargestWeights of(DecisionColumns columns, int most) {
    if (most < 1) {
      throw new IllegalArgumentException("at least one decision is asked for, not " + most);
    }
    Search search =
        columns.reduce(
            () -> new Search(columns.log(), most),
            (part, decision, row) -> part.add(decision, row),
            Search::join);
    double total = search.total.get(0);
    return new LargestWeights(
        search.heavy.stream()
            .map(
                each ->
                    new Heavy(
                        each.number,
                        each.decision,
                        each.weight,
                        total > 0 ? each.weight / total : 0,
                        each.logging,
                        each.reward))
            .toList());
  }

  /** The largest so far, in order. */
  private static final class Search {
    private final LoggedDecisions log;
    private final int most;
    private final CompensatedSums total = new CompensatedSums(1);
    private final List<Heavy> heavy = new ArrayList<>();

    Search(LoggedDecisions log, int most) {
      this.log = log;
      this.most = most;
    }

    void add(int number, DecisionRow row) {
      double weight = row.lastWeight();
      total.add(0, weight);
      if (heavy.size() < most || weight > heavy.get(most - 1).weight) {
        insert(
            new Heavy(
                number,
                log.decision(log.firstRow(number)),
                weight,
                0,
                logging(number),
                row.totalReward()));
      }
    }

    Search join(Search other) {
      total.merge(other.total);
      other.heavy.forEach(this::insert);
      return this;
    }

    private void insert(Heavy added) {
      int at = heavy.size();
      while (at > 0 && LARGEST_FIRST.compare(added, heavy.get(at - 1)) < 0) {
        at--;
      }
      heavy.add(at, added);
      if (heavy.size() > most) {
        heavy.remove(most);
      }
    }

    private double logging(int number) {
      double product = 1;
      for (int row = log.firstRow(number); row < log.firstRow(number + 1); row++) {
        product *= log.logging(row);
      }
      return product;
    }
  }
}
