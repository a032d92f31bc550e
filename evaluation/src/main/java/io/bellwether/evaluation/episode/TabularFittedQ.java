package io.bellwether.evaluation.episode;

import io.bellwether.evaluation.CompensatedSums;
import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * Fitted-Q evaluation where states and actions are numbered: the regression is a mean per state and
 * action. What was never logged has the value 0.
 *
 * <p>Source: Le, Voloshin and Yue, "Batch Policy Learning under Constraints", 2019. The expectation
 * over the next action is exact; an ended episode has no future, one that was cut off has the next
 * state's value.
 *
 * @param target the policy's chances {@code [state][action]}
 * @param discount weight of the next step, in [0, 1]
 */
@SuppressWarnings("ArrayRecordComponent") // carried, not compared
public record TabularFittedQ(double[][] target, double discount) {

  /** Values that change by a smaller share of the largest stand still. */
  private static final double LARGEST_CHANGE = 1e-4;

  private static final int MOST_ROUNDS = 200;

  public TabularFittedQ {
    if (!(discount >= 0 && discount <= 1)) {
      throw new IllegalArgumentException("a discount lies in [0, 1], found " + discount);
    }
  }

  /**
   * Values by step, backwards from the longest episode's last.
   *
   * @param learn the episodes to learn from
   */
  public FittedValues finite(TabularEpisodes log, IntPredicate learn) {
    log.requirePolicy(target);
    int horizon = log.longest();
    double[][][] actionValues = new double[horizon][][];
    double[][] stateValues = new double[horizon][];
    double[] following = new double[log.states()];
    for (int step = horizon - 1; step >= 0; step--) {
      actionValues[step] = regress(log, learn, following, step, step + 1);
      stateValues[step] = means(actionValues[step]);
      following = stateValues[step];
    }
    return new FittedValues(actionValues, stateValues, horizon);
  }

  /**
   * One set of values for every step, iterated until it stands still.
   *
   * @param learn the episodes to learn from
   * @throws FittedValueException when values leave what rewards and discount allow
   */
  public FittedValues stationary(TabularEpisodes log, IntPredicate learn) {
    log.requirePolicy(target);
    if (discount == 1) {
      throw new IllegalArgumentException("without a horizon the discount lies below 1");
    }
    ValueBound bound = ValueBound.discounted(log.largestReward(), discount);
    double[][] values = new double[log.states()][log.actions()];
    double change = Double.POSITIVE_INFINITY;
    int rounds = 0;
    while (rounds < MOST_ROUNDS && change >= LARGEST_CHANGE) {
      double[][] next = regress(log, learn, means(values), 0, log.longest());
      change = change(values, next, bound);
      values = next;
      rounds++;
    }
    return new FittedValues(new double[][][] {values}, new double[][] {means(values)}, rounds);
  }

  private static double change(double[][] before, double[][] after, ValueBound bound) {
    double largest = 0;
    double moved = 0;
    for (int state = 0; state < after.length; state++) {
      for (int action = 0; action < after[state].length; action++) {
        bound.check(after[state][action]);
        largest = Math.max(largest, Math.abs(after[state][action]));
        moved = Math.max(moved, Math.abs(after[state][action] - before[state][action]));
      }
    }
    return largest == 0 ? 0 : moved / largest;
  }

  /** Mean of reward and discounted following value, over rows of the steps {@code from .. to}. */
  private double[][] regress(
      TabularEpisodes log, IntPredicate learn, double[] following, int from, int to) {
    int actions = log.actions();
    CompensatedSums sums = new CompensatedSums(log.states() * actions);
    int[] counts = new int[log.states() * actions];
    for (int episode = 0; episode < log.episodes(); episode++) {
      if (learn.test(episode)) {
        int begin = log.first()[episode];
        int end = Math.min(log.first()[episode + 1], begin + to);
        for (int row = begin + from; row < end; row++) {
          int next = log.next()[row];
          double future = next < 0 ? 0 : discount * following[next];
          int cell = log.state()[row] * actions + log.action()[row];
          sums.add(cell, log.reward()[row] + future);
          counts[cell]++;
        }
      }
    }
    double[][] values = new double[log.states()][actions];
    for (int cell = 0; cell < counts.length; cell++) {
      values[cell / actions][cell % actions] =
          counts[cell] == 0 ? 0 : sums.get(cell) / counts[cell];
    }
    return values;
  }

  private double[] means(double[][] values) {
    double[] means = new double[values.length];
    for (int state = 0; state < means.length; state++) {
      for (int action = 0; action < values[state].length; action++) {
        means[state] += target[state][action] * values[state][action];
      }
    }
    return means;
  }

  /** The signal of the log with cross-fitted values by step: each episode's from the other fold. */
  public StepSignal crossFitted(TabularEpisodes log, IntPredicate fold) {
    FittedValues[] values = {finite(log, fold), finite(log, fold.negate())};
    double[] prediction = new double[log.rows()];
    double[] direct = new double[log.rows()];
    double[] beyond = new double[log.episodes()];
    for (int episode = 0; episode < log.episodes(); episode++) {
      FittedValues others = values[fold.test(episode) ? 1 : 0];
      int begin = log.first()[episode];
      int end = log.first()[episode + 1];
      for (int row = begin; row < end; row++) {
        prediction[row] = others.actionValue(row - begin, log.state()[row], log.action()[row]);
        direct[row] = others.stateValue(row - begin, log.state()[row]);
      }
      beyond[episode] = others.stateValue(end - begin, log.next()[end - 1]);
    }
    return StepSignal.of(log.reward(), StepValues.of(prediction, direct, beyond));
  }

  /** The value of the episodes' first states: the mean over them. */
  public double value(FittedValues values, TabularEpisodes log) {
    double[] starts = new double[log.episodes()];
    Arrays.setAll(starts, episode -> values.stateValue(0, log.state()[log.first()[episode]]));
    return CompensatedSums.of(starts) / starts.length;
  }
}
