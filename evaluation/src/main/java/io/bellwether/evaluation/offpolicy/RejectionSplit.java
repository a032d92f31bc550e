package io.bellwether.evaluation.offpolicy;

import io.bellwether.evaluation.CompensatedSums;
import io.bellwether.evaluation.interval.CounterRandom;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Cuts one log in two at random, such that the first part looks like a log of the target policy and
 * the rest like a log of another logging policy, with weights close to the real ones. What was
 * estimated on the rest can then be held against what the first part earned. Immutable.
 *
 * <pre>
 * A decision with weight w goes into the first part with chance ρ(w) = min(c·w, ½). Up to the cut,
 * contexts are alike in both parts, the first part's policy is π (the target) and the rest's is
 * (β − c·π)/(1 − c), β being the logging policy. The exact weight between the parts is
 * ρ/(1 − ρ) · (1 − P)/P with P = mean ρ, which is w·(1 − c)/(1 − c·w) below the cut, for prefixes,
 * clusters and single places of a slate too. c is as large as it can be (a large first part is a
 * sharp yardstick) with weights that still resemble the real ones.
 * </pre>
 *
 * <p>The idea of fitted acceptance is from Udagawa, Kiyohara, Narita, Saito and Tateno,
 * "Policy-Adaptive Estimator Selection for Off-Policy Evaluation", 2023; there ρ is a network, here
 * it is the rejection sampler's, which keeps the model's expectation under the target policy right.
 */
public final class RejectionSplit {
  /** Shares of the log that the first part may have, best first. */
  private static final double[] SHARES = {0.3, 0.2, 0.1, 0.05, 0.02, 0.01};

  private static final double LARGEST_CHANCE = 0.5;

  /** Mean absolute difference of the weights, which are 1 on average. */
  private static final double LARGEST_MISMATCH = 0.25;

  /** Share of the target policy's decisions that the cut may take from the first part. */
  private static final double LARGEST_LOSS = 0.01;

  private static final double LEAST_DECISIONS = 50;
  private static final long SPLIT = 0x5711;

  private final double scale;
  private final double share;
  private final double mismatch;

  private RejectionSplit(double scale, double share, double mismatch) {
    this.scale = scale;
    this.share = share;
    this.mismatch = mismatch;
  }

  /**
   * What one estimator and the first part said, split by split.
   *
   * @param defined false where some split has no finite value; all values are then 0
   */
  @SuppressWarnings("ArrayRecordComponent") // read once, not compared
  public record Trial(Estimator estimator, double[] values, double[] truths, boolean defined) {}

  /**
   * Fits the acceptance; empty where weights are so unequal, or the log so short, that no split
   * both resembles the real task and leaves a yardstick.
   */
  public static Optional<RejectionSplit> fit(DecisionColumns columns) {
    if (columns.decisions() == 0) {
      return Optional.empty();
    }
    double mean = meanWeight(columns);
    if (!(mean > 0) || !Double.isFinite(mean)) {
      return Optional.empty();
    }
    double[] shares = shares(columns, mean);
    double[] mismatches = mismatches(columns, mean, shares);
    for (int at = 0; at < SHARES.length; at++) {
      boolean enough = shares[at] * columns.decisions() >= LEAST_DECISIONS;
      boolean whole = shares[at] >= (1 - LARGEST_LOSS) * SHARES[at];
      if (enough && whole && mismatches[at] <= LARGEST_MISMATCH) {
        return Optional.of(new RejectionSplit(SHARES[at] / mean, shares[at], mismatches[at]));
      }
    }
    return Optional.empty();
  }

  /**
   * Whether the estimator's weights are among those that a split knows: all but the pseudo-inverse
   * ones.
   */
  public static boolean suits(Estimator estimator) {
    return !(estimator instanceof PseudoInverse);
  }

  /** Share of the log that the first part has, on average. */
  public double share() {
    return share;
  }

  /** Mean absolute difference between the split's weights and the real ones, both 1 on average. */
  public double mismatch() {
    return mismatch;
  }

  /**
   * Tries every estimator on {@code splits} splits, in one pass; memory is the number of splits
   * times the estimators' terms.
   */
  public List<Trial> trials(
      List<Estimator> estimators, DecisionColumns columns, int splits, long seed) {
    CounterRandom random = new CounterRandom(seed);
    return columns
        .reduce(
            () -> new Sums(estimators, columns.positions(), splits),
            (part, decision, row) -> add(part, random, decision, row),
            Sums::join)
        .trials();
  }

  private void add(Sums sums, CounterRandom random, int decision, DecisionRow row) {
    double reward = row.totalReward();
    double chance = chance(row.lastWeight(), scale);
    reweigh(row);
    sums.read(row);
    for (int split = 0; split < sums.splits(); split++) {
      if (random.uniform(SPLIT, decision, split, 0) < chance) {
        sums.addFirst(split, reward);
      }
    }
  }

  private static double meanWeight(DecisionColumns columns) {
    CompensatedSums weights =
        columns.reduce(
            () -> new CompensatedSums(1),
            (part, decision, row) -> part.add(0, row.lastWeight()),
            RejectionSplit::join);
    return weights.get(0) / columns.decisions();
  }

  /** By wanted share, the one that remains after the cut. */
  private static double[] shares(DecisionColumns columns, double meanWeight) {
    CompensatedSums chances =
        columns.reduce(
            () -> new CompensatedSums(SHARES.length),
            (part, decision, row) -> {
              for (int at = 0; at < SHARES.length; at++) {
                part.add(at, chance(row.lastWeight(), SHARES[at] / meanWeight));
              }
            },
            RejectionSplit::join);
    double[] shares = new double[SHARES.length];
    Arrays.setAll(shares, at -> chances.get(at) / columns.decisions());
    return shares;
  }

  private static double[] mismatches(DecisionColumns columns, double meanWeight, double[] shares) {
    CompensatedSums differences =
        columns.reduce(
            () -> new CompensatedSums(SHARES.length),
            (part, decision, row) -> {
              double real = row.lastWeight() / meanWeight;
              for (int at = 0; at < SHARES.length; at++) {
                double chance = chance(row.lastWeight(), SHARES[at] / meanWeight);
                double split = chance / shares[at];
                part.add(at, Math.abs(split - (1 - chance) / (1 - shares[at]) * real));
              }
            },
            RejectionSplit::join);
    double[] mismatches = new double[SHARES.length];
    Arrays.setAll(mismatches, at -> differences.get(at) / columns.decisions());
    return mismatches;
  }

  private static CompensatedSums join(CompensatedSums left, CompensatedSums right) {
    left.merge(right);
    return left;
  }

  private static double chance(double weight, double scale) {
    return Math.min(scale * weight, LARGEST_CHANCE);
  }

  private void reweigh(DecisionRow row) {
    for (int k = 0; k < row.positions(); k++) {
      row.weightBefore[k] = k == 0 ? 1 : row.weight[k - 1];
      row.weight[k] = between(row.weight[k]);
      row.clusterWeight[k] = between(row.clusterWeight[k]);
      row.slotWeight[k] = between(row.slotWeight[k]);
    }
  }

  private double between(double weight) {
    double chance = chance(weight, scale);
    return chance / (1 - chance) * (1 - share) / share;
  }

  /**
   * Sums of all estimators' terms, split by split: those of all decisions less those of the first
   * part, which has fewer than the rest. Confined to one thread.
   */
  private static final class Sums {
    private final List<Estimator> estimators;
    private final int splits;
    private final double[][] terms;

    /** By estimator of all decisions. */
    private final CompensatedSums[] all;

    /** By estimator and split, of the first part, with the sign changed. */
    private final CompensatedSums[][] taken;

    private final CompensatedSums first;
    private final long[] inFirst;
    private long decisions;

    Sums(List<Estimator> estimators, int positions, int splits) {
      this.estimators = List.copyOf(estimators);
      this.splits = splits;
      terms = new double[estimators.size()][];
      all = new CompensatedSums[estimators.size()];
      taken = new CompensatedSums[estimators.size()][splits];
      for (int at = 0; at < terms.length; at++) {
        int width = estimators.get(at).width(positions);
        terms[at] = new double[width];
        all[at] = new CompensatedSums(width);
        for (int split = 0; split < splits; split++) {
          taken[at][split] = new CompensatedSums(width);
        }
      }
      first = new CompensatedSums(splits);
      inFirst = new long[splits];
    }

    void read(DecisionRow row) {
      decisions++;
      for (int at = 0; at < terms.length; at++) {
        estimators.get(at).terms(row, terms[at]);
        for (int term = 0; term < terms[at].length; term++) {
          all[at].add(term, terms[at][term]);
        }
      }
    }

    void addFirst(int split, double reward) {
      inFirst[split]++;
      first.add(split, reward);
      for (int at = 0; at < terms.length; at++) {
        for (int term = 0; term < terms[at].length; term++) {
          taken[at][split].add(term, -terms[at][term]);
        }
      }
    }

    int splits() {
      return splits;
    }

    Sums join(Sums other) {
      decisions += other.decisions;
      first.merge(other.first);
      for (int at = 0; at < terms.length; at++) {
        all[at].merge(other.all[at]);
      }
      for (int split = 0; split < splits; split++) {
        inFirst[split] += other.inFirst[split];
        for (int at = 0; at < terms.length; at++) {
          taken[at][split].merge(other.taken[at][split]);
        }
      }
      return this;
    }

    List<Trial> trials() {
      double[] truths = new double[inFirst.length];
      for (int split = 0; split < truths.length; split++) {
        truths[split] = inFirst[split] > 0 ? first.get(split) / inFirst[split] : 0;
      }
      Trial[] trials = new Trial[terms.length];
      for (int at = 0; at < trials.length; at++) {
        trials[at] = trial(at, truths);
      }
      return List.of(trials);
    }

    private Trial trial(int at, double[] truths) {
      Estimator estimator = estimators.get(at);
      double[] values = new double[truths.length];
      double[] means = new double[terms[at].length];
      for (int split = 0; split < values.length; split++) {
        long inRest = decisions - inFirst[split];
        if (inFirst[split] == 0 || inRest == 0) {
          return new Trial(estimator, new double[truths.length], truths, false);
        }
        CompensatedSums rest = new CompensatedSums(means.length);
        rest.merge(all[at]);
        rest.merge(taken[at][split]);
        for (int term = 0; term < means.length; term++) {
          means[term] = rest.get(term) / inRest;
        }
        values[split] = estimator.isDefined(means) ? estimator.value(means) : Double.NaN;
        if (!Double.isFinite(values[split])) {
          return new Trial(estimator, new double[truths.length], truths, false);
        }
      }
      return new Trial(estimator, values, truths, true);
    }
  }
}
