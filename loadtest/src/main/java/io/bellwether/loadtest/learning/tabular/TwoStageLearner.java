package io.bellwether.loadtest.learning.tabular;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Two-stage constrained actor-critic with exact steps. Stage one: for each limit a policy that does
 * well by its signal and stays near the log. Stage two: the policy that maximises the objective and
 * stays near all of those.
 *
 * <p>Source: Cai and others, "Two-Stage Constrained Actor-Critic for Short Video Recommendation",
 * 2023. The even policy stands for the log.
 *
 * @param process what is to be decided
 * @param nearness λ of stage one: weight of the divergence from the log
 */
record TwoStageLearner(ConstrainedProcess process, double nearness) {

  /*
   * Each stage repeats π ← (1 - DAMPING) π + DAMPING · closed form, until π stands still; Q is that of
   * the current policy, without entropy:
   *
   *   stage one   π_i ∝ β exp(Q_i / λ1)
   *   stage two   π   ∝ Π_i π_i^(1 / number of limits) exp(Q_0 / Λ)
   */

  private static final double DAMPING = 0.1;

  /** Ratio of neighbours on the grid of Λ. */
  private static final double GRID = 1.4;

  private static final int HALVES = 9;

  /** A policy that moves less than this per step stands still. */
  private static final double STILL = 1e-9;

  /** Where two policies are nearly as good, a damped step can swing between them for ever. */
  private static final int MOST_STEPS = 1000;

  /** What stage one comes to for a limit. */
  double[][] stageOne(Limit limit) {
    double[][] reward = signed(process.rewards()[limit.signal()], limit.sign());
    double[][] even = new double[process.states()][process.actions()];
    return fixedPoint(reward, even, nearness);
  }

  private static double[][] signed(double[][] reward, int sign) {
    double[][] signed = new double[reward.length][reward[0].length];
    for (int state = 0; state < reward.length; state++) {
      for (int action = 0; action < reward[state].length; action++) {
        signed[state][action] = sign * reward[state][action];
      }
    }
    return signed;
  }

  List<double[][]> stageOne(List<Limit> limits) {
    List<double[][]> policies = new ArrayList<>();
    limits.forEach(limit -> policies.add(stageOne(limit)));
    return policies;
  }

  /** {@code total}: Λ, the sum of the weights of all divergences, which are equal. */
  double[][] stageTwo(List<double[][]> auxiliary, double total) {
    double[] shares = new double[auxiliary.size()];
    Arrays.fill(shares, 1.0 / shares.length);
    return fixedPoint(process.rewards()[0], logMean(auxiliary, shares), total);
  }

  /** Logarithm of the policies' geometric mean with these shares, which sum to 1. */
  static double[][] logMean(List<double[][]> policies, double[] shares) {
    double[][] first = policies.get(0);
    double[][] mean = new double[first.length][first[0].length];
    for (int i = 0; i < shares.length; i++) {
      for (int state = 0; state < mean.length; state++) {
        for (int action = 0; action < mean[state].length; action++) {
          double chance = Math.max(policies.get(i)[state][action], Double.MIN_NORMAL);
          mean[state][action] += shares[i] * Math.log(chance);
        }
      }
    }
    return mean;
  }

  private double[][] fixedPoint(double[][] reward, double[][] logPrior, double temperature) {
    double[][] policy = process.uniform();
    for (int step = 0; step < MOST_STEPS; step++) {
      double[][] closed =
          TiltedPolicy.of(logPrior, process.actionValues(policy, reward), temperature);
      double moved = DAMPING * TiltedPolicy.distance(policy, closed);
      for (int state = 0; state < policy.length; state++) {
        for (int action = 0; action < policy[state].length; action++) {
          policy[state][action] += DAMPING * (closed[state][action] - policy[state][action]);
        }
      }
      if (moved < STILL) {
        break;
      }
    }
    return policy;
  }

  /**
   * The policy of the smallest Λ that keeps all limits, so the one that gives the objective most
   * room: the smallest of a geometric grid, then halves of the step to its neighbour. The policy of
   * the largest Λ where none keeps them.
   */
  double[][] smallestThatKeeps(ConstrainedTask task, double largest, double smallest) {
    List<double[][]> auxiliary = stageOne(task.limits());
    double total = smallest;
    double[][] kept = stageTwo(auxiliary, total);
    while (!keeps(task, kept) && total < largest) {
      total *= GRID;
      kept = stageTwo(auxiliary, total);
    }
    double step = GRID;
    for (int half = 0; half < HALVES; half++) {
      step = Math.sqrt(step);
      double[][] policy = stageTwo(auxiliary, total / step);
      if (keeps(task, policy)) {
        total /= step;
        kept = policy;
      }
    }
    return kept;
  }

  private static boolean keeps(ConstrainedTask task, double[][] policy) {
    return task.violationShare(task.process().values(policy)) == 0;
  }
}
