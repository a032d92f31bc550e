package io.bellwether.evaluation.offpolicy;

import io.bellwether.evaluation.CompensatedSums;
import java.nio.DoubleBuffer;
import java.util.Arrays;

/**
 * Weighted per-decision importance sampling: the discounted value per episode of one policy, for
 * every signal of a log. Needs no model; what an episode would have brought after it was cut off is
 * not counted. Where few effective episodes are left it is biased towards the logging policy's
 * value, by more than its standard error says. Confined to one thread.
 *
 * <p>Source: Precup, Sutton and Singh, "Eligibility Traces for Off-Policy Policy Evaluation", 2000.
 * Differences: a slate's positions are places of their own with the discount of their step; weights
 * are sums of logarithms, relative to the largest of their place, so that long episodes neither
 * overflow nor vanish; the standard error is the linearised one, by unit.
 */
public final class WeightedPerDecision {

  /*
   * Place p = step · positions + position; d_p = discount^step; n episodes.
   *
   *   ρ_ip   product of the episode's ratios up to and including p; after its end, its last one
   *   u_ip = ρ_ip / mean_i ρ_ip
   *   v_p  = mean_i u_ip r_ip                 r is 0 where nothing was placed
   *   V    = Σ_p d_p v_p
   *   ψ_i  = Σ_p d_p u_ip (r_ip - v_p)
   *
   * Invariants: ρ = 1 gives the plain discounted mean; one step of one position gives SNIPS.
   */

  /** Steps whose discount is below it change no digit that anybody reads. */
  private static final double SMALLEST_DISCOUNT = 1e-6;

  private final LoggedDecisions log;
  private final Episodes episodes;
  private final UnitIndex units;
  private final int positions;
  private final int steps;
  private final double[] discounts;
  private final DoubleBuffer logRatio;
  private final double[] largest;
  private final double[] meanWeight;
  private final double[] effectiveSampleSize;
  private final double[] logWeights;
  private final double[] rewards;

  private WeightedPerDecision(
      LoggedDecisions log, Episodes episodes, double discount, double[] logRatio) {
    if (!(discount >= 0 && discount < 1)) {
      throw new IllegalArgumentException("a discount lies in [0, 1), found " + discount);
    }
    this.log = log;
    this.episodes = episodes;
    this.units = unitsOf(log, episodes);
    this.positions = log.positions();
    this.steps = Math.min(episodes.longest(), horizon(discount));
    this.logRatio = DoubleBuffer.wrap(logRatio);
    int places = steps * positions;
    this.discounts = new double[places];
    Arrays.setAll(discounts, place -> Math.pow(discount, place / positions));
    this.logWeights = new double[places];
    this.rewards = new double[places];
    this.largest = new double[places];
    this.meanWeight = new double[places];
    this.effectiveSampleSize = new double[places];
    weigh();
  }

  /** Of the target policy. */
  public static WeightedPerDecision ofTarget(
      LoggedDecisions log, Episodes episodes, double discount) {
    double[] logRatio = new double[log.rows()];
    Arrays.setAll(logRatio, row -> Math.log(log.target(row) / log.logging(row)));
    return new WeightedPerDecision(log, episodes, discount, logRatio);
  }

  /** Of the champion; of the logging policy where there is none. */
  public static WeightedPerDecision ofBaseline(
      LoggedDecisions log, Episodes episodes, double discount) {
    double[] logRatio = new double[log.rows()];
    if (log.hasBaseline()) {
      Arrays.setAll(logRatio, row -> Math.log(log.baseline(row) / log.logging(row)));
    }
    return new WeightedPerDecision(log, episodes, discount, logRatio);
  }

  private static int horizon(double discount) {
    return discount == 0
        ? 1
        : (int) Math.min(1e9, Math.ceil(Math.log(SMALLEST_DISCOUNT) / Math.log(discount)));
  }

  private static UnitIndex unitsOf(LoggedDecisions log, Episodes episodes) {
    return UnitIndex.of(
        episodes.count(), episode -> log.unit(episodes.decision()[episodes.first()[episode]]));
  }

  /** Which episodes are of one subject. */
  public UnitIndex units() {
    return units;
  }

  /** Per step the smallest effective sample size of its places, in episodes; 0 without overlap. */
  public double[] effectiveSampleSizes() {
    double[] ofStep = new double[steps];
    Arrays.fill(ofStep, Double.POSITIVE_INFINITY);
    for (int place = 0; place < effectiveSampleSize.length; place++) {
      int step = place / positions;
      ofStep[step] = Math.min(ofStep[step], effectiveSampleSize[place]);
    }
    return ofStep;
  }

  /**
   * A signal's value. A place without overlap adds nothing to it and counts as thin.
   *
   * @param leastEffectiveSampleSize below it a place is thin
   */
  public EpisodeValue of(String signal, double leastEffectiveSampleSize) {
    DoubleBuffer reward = log.signal(signal).reward();
    CompensatedSums weighted = new CompensatedSums(logWeights.length);
    double thin = 0;
    double all = 0;
    for (int episode = 0; episode < episodes.count(); episode++) {
      read(episode, reward);
      for (int place = 0; place < logWeights.length; place++) {
        weighted.add(place, relative(place) * rewards[place]);
        double amount = discounts[place] * Math.abs(rewards[place]);
        all += amount;
        thin += effectiveSampleSize[place] < leastEffectiveSampleSize ? amount : 0;
      }
    }
    double[] values = new double[logWeights.length];
    CompensatedSums total = new CompensatedSums(1);
    for (int place = 0; place < values.length; place++) {
      values[place] = weighted.get(place) / episodes.count();
      total.add(0, discounts[place] * values[place]);
    }
    return new EpisodeValue(
        Influence.of(total.get(0), influences(reward, values)), all > 0 ? thin / all : 0);
  }

  private double[] influences(DoubleBuffer reward, double[] values) {
    double[] influences = new double[episodes.count()];
    for (int episode = 0; episode < influences.length; episode++) {
      read(episode, reward);
      double influence = 0;
      for (int place = 0; place < values.length; place++) {
        influence += discounts[place] * relative(place) * (rewards[place] - values[place]);
      }
      influences[episode] = influence;
    }
    return influences;
  }

  private void weigh() {
    Arrays.fill(largest, Double.NEGATIVE_INFINITY);
    for (int episode = 0; episode < episodes.count(); episode++) {
      read(episode, logRatio);
      for (int place = 0; place < largest.length; place++) {
        largest[place] = Math.max(largest[place], logWeights[place]);
      }
    }
    CompensatedSums sums = new CompensatedSums(largest.length);
    CompensatedSums squares = new CompensatedSums(largest.length);
    for (int episode = 0; episode < episodes.count(); episode++) {
      read(episode, logRatio);
      for (int place = 0; place < largest.length; place++) {
        double weight = weight(place);
        sums.add(place, weight);
        squares.add(place, weight * weight);
      }
    }
    for (int place = 0; place < largest.length; place++) {
      double sum = sums.get(place);
      meanWeight[place] = sum / episodes.count();
      effectiveSampleSize[place] = sum > 0 ? sum * sum / squares.get(place) : 0;
    }
  }

  /** The weight that was read last at a place, as a share of the largest there. */
  private double weight(int place) {
    return largest[place] == Double.NEGATIVE_INFINITY
        ? 0
        : Math.exp(logWeights[place] - largest[place]);
  }

  private double relative(int place) {
    return meanWeight[place] > 0 ? weight(place) / meanWeight[place] : 0;
  }

  /** Sets the logarithm of the weight, and the amount, of every place of an episode. */
  private void read(int episode, DoubleBuffer amount) {
    double logWeight = 0;
    int place = 0;
    int first = episodes.first()[episode];
    int read = Math.min(steps, episodes.steps(episode));
    for (int step = 0; step < read; step++) {
      int decision = episodes.decision()[first + step];
      for (int row = log.firstRow(decision); row < log.firstRow(decision + 1); row++) {
        logWeight += logRatio.get(row);
        logWeights[place] = logWeight;
        rewards[place++] = amount.get(row);
      }
      place = pad(place, (step + 1) * positions, logWeight);
    }
    pad(place, logWeights.length, logWeight);
  }

  private int pad(int from, int to, double logWeight) {
    Arrays.fill(logWeights, from, to, logWeight);
    Arrays.fill(rewards, from, to, 0);
    return to;
  }
}
