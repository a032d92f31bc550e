package io.bellwether.evaluation.episode;

import io.bellwether.evaluation.CompensatedSums;
import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import io.bellwether.evaluation.offpolicy.UnitIndex;
import java.util.Arrays;
import java.util.function.IntToDoubleFunction;

/**
 * Logged episodes with the weights that one policy gives to their steps. A slate's positions are
 * places of their own with the discount of their step; an episode that has ended keeps its last
 * weight and brings nothing more. Immutable.
 *
 * <p>Weights are sums of logarithms, relative to the largest of their place, so that long episodes
 * neither overflow nor vanish. Rows with a propensity of 0 are the caller's to refuse.
 */
public final class EpisodeSteps {

  /*
   * Place p = step · positions + position; d_p = discount^step; n episodes.
   *
   *   ρ_ip   product of the episode's ratios up to and including p; after its end, its last one
   *   u_ip = ρ_ip / mean_i ρ_ip                0 where the mean is 0: no episode is left
   *
   * One place behind the longest episode has no rows: it holds what a model expects beyond the log.
   */

  /** Steps whose discount is below it change no digit that anybody reads. */
  private static final double SMALLEST_DISCOUNT = 1e-6;

  private final EpisodeRows rows;
  private final double[] logRatio;
  private final int positions;
  private final int longest;
  private final double[] discounts;
  private final double[] largest;
  private final double[] meanWeight;
  private final double[] effectiveSampleSize;

  private EpisodeSteps(EpisodeRows rows, double[] logRatio, double discount) {
    if (!(discount >= 0 && discount <= 1)) {
      throw new IllegalArgumentException("a discount lies in [0, 1], found " + discount);
    }
    if (logRatio.length != rows.rows()) {
      throw new IllegalArgumentException(logRatio.length + " ratios of " + rows.rows() + " rows");
    }
    this.rows = rows;
    this.logRatio = logRatio;
    this.positions = rows.positions();
    this.longest = Math.min(rows.longest(), horizon(discount));
    int places = (longest + 1) * positions;
    this.discounts = new double[places];
    Arrays.setAll(discounts, place -> Math.pow(discount, place / positions));
    this.largest = new double[places];
    this.meanWeight = new double[places];
    this.effectiveSampleSize = new double[places];
    weigh();
  }

  /** As the target policy weighs them. */
  public static EpisodeSteps ofTarget(LoggedDecisions log, Episodes episodes, double discount) {
    return of(log, episodes, discount, row -> Math.log(log.target(row) / log.logging(row)));
  }

  /** As the champion weighs them; as they are where there is none. */
  public static EpisodeSteps ofBaseline(LoggedDecisions log, Episodes episodes, double discount) {
    return log.hasBaseline()
        ? of(log, episodes, discount, row -> Math.log(log.baseline(row) / log.logging(row)))
        : of(log, episodes, discount, row -> 0);
  }

  private static EpisodeSteps of(
      LoggedDecisions log, Episodes episodes, double discount, IntToDoubleFunction logRatio) {
    double[] ratios = new double[log.rows()];
    Arrays.setAll(ratios, logRatio);
    return new EpisodeSteps(EpisodeRows.of(log, episodes), ratios, discount);
  }

  /**
   * Steps of one position each, one row per step, episode after episode.
   *
   * @param first where each episode begins, and at the end the number of steps
   * @param unit per episode, a hash of the subject
   * @param target the policy's chance of each logged item
   * @param logging its propensity
   */
  public static EpisodeSteps single(
      int[] first, long[] unit, double[] target, double[] logging, double discount) {
    double[] ratios = new double[logging.length];
    Arrays.setAll(ratios, row -> Math.log(target[row] / logging[row]));
    return new EpisodeSteps(EpisodeRows.single(first, unit), ratios, discount);
  }

  /** A sample with a model, as the target policy weighs it. */
  public static EpisodeSteps ofTarget(ModelledEpisodes sample, double discount) {
    return of(sample, sample.target(), discount);
  }

  /** A sample with a model, as the baseline weighs it. */
  public static EpisodeSteps ofBaseline(ModelledEpisodes sample, double discount) {
    return of(sample, sample.baseline(), discount);
  }

  private static EpisodeSteps of(ModelledEpisodes sample, double[] chances, double discount) {
    double[] ratios = new double[chances.length];
    Arrays.setAll(ratios, row -> Math.log(chances[row] / sample.logging()[row]));
    return new EpisodeSteps(sample.rows(), ratios, discount);
  }

  private static int horizon(double discount) {
    if (discount == 1) {
      return Integer.MAX_VALUE;
    }
    return discount == 0
        ? 1
        : (int) Math.min(1e9, Math.ceil(Math.log(SMALLEST_DISCOUNT) / Math.log(discount)));
  }

  public int episodes() {
    return rows.episodes();
  }

  /** Which episodes are of one subject. */
  public UnitIndex units() {
    return rows.units();
  }

  /** Steps that count: those of the longest episode, or fewer where the discount leaves nothing. */
  public int steps() {
    return longest;
  }

  /** Per step the smallest effective sample size of its places, in episodes; 0 without overlap. */
  public double[] effectiveSampleSizes() {
    double[] ofStep = new double[longest];
    Arrays.fill(ofStep, Double.POSITIVE_INFINITY);
    for (int place = 0; place < longest * positions; place++) {
      int step = place / positions;
      ofStep[step] = Math.min(ofStep[step], effectiveSampleSize[place]);
    }
    return ofStep;
  }

  /**
   * The first step, from 0 on, that no episode reaches under the policy: from there on weighted
   * estimators say what the model says; -1 where there is none.
   */
  public int noOverlapFrom() {
    for (int place = 0; place < longest * positions; place++) {
      if (!(meanWeight[place] > 0)) {
        return place / positions;
      }
    }
    return -1;
  }

  /** Each episode's product of all its ratios, over their mean; 0 where the mean is 0. */
  public double[] relativeWeights() {
    double[] weights = new double[episodes()];
    Reader reader = reader();
    for (int episode = 0; episode < weights.length; episode++) {
      reader.readWeights(episode);
      weights[episode] = reader.relative(places() - 1);
    }
    return weights;
  }

  /** Each episode's discounted sum of a signal's amounts, as logged. */
  public double[] returns(StepSignal signal) {
    double[] returns = new double[episodes()];
    Reader reader = reader();
    for (int episode = 0; episode < returns.length; episode++) {
      reader.read(episode, signal);
      for (int place = 0; place < places(); place++) {
        returns[episode] += discounts[place] * reader.reward[place];
      }
    }
    return returns;
  }

  /**
   * Share of a signal's discounted amounts (their magnitudes) that stands at places where fewer
   * effective episodes are left than asked for, in [0, 1]; 0 where all amounts are 0.
   */
  public double thinShare(StepSignal signal, double leastEffectiveSampleSize) {
    Reader reader = reader();
    CompensatedSums sums = new CompensatedSums(2);
    for (int episode = 0; episode < episodes(); episode++) {
      reader.read(episode, signal);
      for (int place = 0; place < discounts.length; place++) {
        double amount = discounts[place] * Math.abs(reader.reward[place]);
        sums.add(0, amount);
        if (effectiveSampleSize[place] < leastEffectiveSampleSize) {
          sums.add(1, amount);
        }
      }
    }
    return sums.get(0) > 0 ? sums.get(1) / sums.get(0) : 0;
  }

  private void weigh() {
    Reader reader = reader();
    Arrays.fill(largest, Double.NEGATIVE_INFINITY);
    for (int episode = 0; episode < episodes(); episode++) {
      reader.readWeights(episode);
      for (int place = 0; place < largest.length; place++) {
        largest[place] = Math.max(largest[place], reader.logWeight[place]);
      }
    }
    CompensatedSums sums = new CompensatedSums(largest.length);
    CompensatedSums squares = new CompensatedSums(largest.length);
    for (int episode = 0; episode < episodes(); episode++) {
      reader.readWeights(episode);
      for (int place = 0; place < largest.length; place++) {
        double weight = shareOfLargest(reader.logWeight[place], place);
        sums.add(place, weight);
        squares.add(place, weight * weight);
      }
    }
    for (int place = 0; place < largest.length; place++) {
      double sum = sums.get(place);
      meanWeight[place] = sum / episodes();
      effectiveSampleSize[place] = sum > 0 ? sum * sum / squares.get(place) : 0;
    }
  }

  private double shareOfLargest(double logWeight, int place) {
    return largest[place] == Double.NEGATIVE_INFINITY ? 0 : Math.exp(logWeight - largest[place]);
  }

  int places() {
    return discounts.length;
  }

  int positions() {
    return positions;
  }

  double discount(int place) {
    return discounts[place];
  }

  Reader reader() {
    return new Reader();
  }

  /** One episode at a time, place by place. Reused from episode to episode; for one thread. */
  final class Reader {
    private final double[] logWeight = new double[discounts.length];
    private final double[] reward = new double[discounts.length];
    private final double[] prediction = new double[discounts.length];
    private final double[] direct = new double[discounts.length];

    void read(int episode, StepSignal signal) {
      Arrays.fill(reward, 0);
      Arrays.fill(prediction, 0);
      Arrays.fill(direct, 0);
      boolean modelled = signal.hasModel();
      double logarithm = 0;
      int begin = rows.first()[episode];
      int read = Math.min(longest, rows.steps(episode));
      for (int step = 0; step < read; step++) {
        int place = step * positions;
        for (int row = rows.from()[begin + step]; row < rows.to()[begin + step]; row++) {
          logarithm += logRatio[row];
          logWeight[place] = logarithm;
          reward[place] = signal.reward().get(row);
          if (modelled) {
            prediction[place] = signal.values().prediction().get(row);
            direct[place] = signal.values().direct().get(row);
          }
          place++;
        }
        Arrays.fill(logWeight, place, (step + 1) * positions, logarithm);
      }
      Arrays.fill(logWeight, read * positions, logWeight.length, logarithm);
      if (modelled && read == rows.steps(episode)) {
        direct[read * positions] = signal.values().beyond()[episode];
      }
    }

    private void readWeights(int episode) {
      double logarithm = 0;
      int begin = rows.first()[episode];
      int read = Math.min(longest, rows.steps(episode));
      for (int step = 0; step < read; step++) {
        int place = step * positions;
        for (int row = rows.from()[begin + step]; row < rows.to()[begin + step]; row++) {
          logarithm += logRatio[row];
          logWeight[place++] = logarithm;
        }
        Arrays.fill(logWeight, place, (step + 1) * positions, logarithm);
      }
      Arrays.fill(logWeight, read * positions, logWeight.length, logarithm);
    }

    double reward(int place) {
      return reward[place];
    }

    double prediction(int place) {
      return prediction[place];
    }

    double direct(int place) {
      return direct[place];
    }

    /** ρ of a place, or of the episode's beginning: 1 at place -1. */
    double product(int place) {
      return place < 0 ? 1 : Math.exp(logWeight[place]);
    }

    /** u of a place; 1 at place -1. */
    double relative(int place) {
      if (place < 0) {
        return 1;
      }
      return meanWeight[place] > 0
          ? shareOfLargest(logWeight[place], place) / meanWeight[place]
          : 0;
    }
  }
}
