package io.bellwether.evaluation;

import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import io.bellwether.evaluation.offpolicy.LoggedDecisions.Signal;
import java.util.Arrays;
import java.util.Random;

/**
 * Slates of items whose signals have known chances, so that the true value of every policy is
 * known. Items are drawn anew for each position; each decision has its own subject unless {@code
 * decisionsPerUnit} says otherwise.
 *
 * @param likes chance of a like by item
 * @param hides chance of a hide by item
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record SimulatedLog(
    int decisions,
    int positions,
    int decisionsPerUnit,
    double[] logging,
    double[] likes,
    double[] hides,
    long seed) {
  public static final String LIKE = "like";
  public static final String HIDE = "hide";

  /** Four items, of which the last is liked most; the logging policy shows each alike. */
  public static SimulatedLog of(int decisions, int positions) {
    return new SimulatedLog(
        decisions,
        positions,
        1,
        new double[] {0.25, 0.25, 0.25, 0.25},
        new double[] {0.1, 0.2, 0.3, 0.5},
        new double[] {0.05, 0.05, 0.05, 0.05},
        11);
  }

  public SimulatedLog withHides(double... chances) {
    return new SimulatedLog(decisions, positions, decisionsPerUnit, logging, likes, chances, seed);
  }

  public SimulatedLog withSeed(long other) {
    return new SimulatedLog(decisions, positions, decisionsPerUnit, logging, likes, hides, other);
  }

  /** The value per decision of showing items with these probabilities. */
  public double trueLikes(double... policy) {
    double value = 0;
    for (int item = 0; item < policy.length; item++) {
      value += policy[item] * likes[item];
    }
    return value * positions;
  }

  /** Columns for a target policy; the reward model knows half of the truth. */
  public LoggedDecisions.Builder columns(double... target) {
    int rows = decisions * positions;
    int[] decision = new int[rows];
    int[] position = new int[rows];
    long[] unit = new long[rows];
    int[] item = new int[rows];
    double[] like = new double[rows];
    double[] hide = new double[rows];
    Random random = new Random(seed);
    for (int row = 0; row < rows; row++) {
      decision[row] = row / positions;
      position[row] = row % positions;
      unit[row] = decision[row] / decisionsPerUnit;
      item[row] = draw(random.nextDouble());
      like[row] = random.nextDouble() < likes[item[row]] ? 1 : 0;
      hide[row] = random.nextDouble() < hides[item[row]] ? 1 : 0;
    }
    double[] propensity = Arrays.stream(item).mapToDouble(each -> logging[each]).toArray();
    double[] probability = Arrays.stream(item).mapToDouble(each -> target[each]).toArray();
    return LoggedDecisions.builder()
        .decisions(decision, position, unit)
        .logging(propensity)
        .target(probability)
        .signal(LIKE, signal(like, item, likes, target))
        .signal(HIDE, signal(hide, item, hides, target));
  }

  public double[] ofItems(LoggedDecisions log, double... policy) {
    int rows = log.rows();
    double[] probability = new double[rows];
    Random random = new Random(seed);
    for (int row = 0; row < rows; row++) {
      probability[row] = policy[draw(random.nextDouble())];
      random.nextDouble();
      random.nextDouble();
    }
    return probability;
  }

  private static Signal signal(double[] reward, int[] item, double[] chances, double[] target) {
    double[] prediction = Arrays.stream(item).mapToDouble(each -> chances[each] / 2).toArray();
    double expected = 0;
    for (int each = 0; each < chances.length; each++) {
      expected += target[each] * chances[each] / 2;
    }
    double[] direct = new double[reward.length];
    Arrays.fill(direct, expected);
    return Signal.modelled(reward, prediction, direct);
  }

  private int draw(double uniform) {
    double left = uniform;
    for (int item = 0; item < logging.length - 1; item++) {
      left -= logging[item];
      if (left < 0) {
        return item;
      }
    }
    return logging.length - 1;
  }
}
