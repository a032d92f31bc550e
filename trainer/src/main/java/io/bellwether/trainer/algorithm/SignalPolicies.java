package io.bellwether.trainer.algorithm;

import io.bellwether.trainer.graph.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * For each of some signals, the policy that is good for it and stays near the logging policy:
 * {@code π_i ∝ β exp(sign_i A_i / (sharpness · u_i))}, with critics of its own.
 *
 * @param heads outputs per signal, at least 2; the first stands for the signal's own policy, the
 *     others for the logging policy
 * @param followed by signal, 1 where more of it is better and -1 where less is
 * @param units per signal, what the sharpness is a multiple of, in scaled units
 */
@SuppressWarnings("ArrayRecordComponent")
record SignalPolicies(
    double discount,
    int heads,
    int members,
    SortedMap<Integer, Integer> followed,
    double sharpness,
    double[] units) {

  /** Rows on which policies are held against the logging policy. */
  private static final int JUDGED = 32768;

  /** Standard errors by which a policy has to be better. */
  private static final double CONFIDENCE = 1.64;

  static SortedMap<Integer, Integer> followed(List<Promise> promises) {
    SortedMap<Integer, Integer> followed = new TreeMap<>();
    promises.forEach(promise -> followed.put(promise.signal(), promise.sense().sign()));
    return followed;
  }

  PolicyCritics critics() {
    return new PolicyCritics(
        discount,
        heads,
        members,
        (step, moment, values, signal, head) ->
            head > 0 || !followed.containsKey(signal)
                ? PolicyCritics.behaviour(step, moment)
                : logChances(step, moment, values, signal).exp());
  }

  /** Logs of the chances of a signal's policy, {@code [B, M]}. */
  Tensor logChances(StepGraph step, Moment moment, int signal) {
    return logChances(step, moment, critics().values(step, moment), signal);
  }

  private Tensor logChances(StepGraph step, Moment moment, Tensor values, int signal) {
    return step.built(
        "own." + signal + "." + moment,
        () -> {
          double sign = followed.getOrDefault(signal, 1);
          Tensor advantage =
              step.output(values, signal * heads).mul((float) (sign / (sharpness * units[signal])));
          return PolicyCritics.normalised(
              step, moment, PolicyCritics.logBehaviour(step, moment).add(advantage));
        });
  }

  /**
   * Which of the policies are surely better for their signals than the logging policy, in the order
   * of {@link #followed}: weighs what was logged, with the logging policy's values of this state
   * and the next one in place of the rest of the return.
   */
  boolean[] areBetter(Engine engine, PolicyStages stages, TrainedPolicy trained) {
    if (followed.isEmpty()) {
      return new boolean[0];
    }
    List<Integer> signals = new ArrayList<>(followed.keySet());
    int[] rows = stages.sample(JUDGED);
    double[][] weights = new double[signals.size()][rows.length];
    float[][] gains = new float[signals.size()][rows.length];
    int[] next = {0};
    CandidatePass.over(
        engine,
        trained,
        stages.given(),
        rows,
        step -> chancesAndGains(step, signals),
        (row, answers, from) -> {
          int i = next[0]++;
          for (int signal = 0; signal < signals.size(); signal++) {
            double chance = answers[from + 2 * signal];
            weights[signal][i] =
                Math.min(PolicyEstimate.LARGEST_WEIGHT, chance / engine.data().propensity()[row]);
            gains[signal][i] = answers[from + 2 * signal + 1];
          }
        });
    boolean[] better = new boolean[signals.size()];
    for (int signal = 0; signal < better.length; signal++) {
      better[signal] = isBetter(weights[signal], gains[signal]);
    }
    return better;
  }

  private Tensor chancesAndGains(StepGraph step, List<Integer> signals) {
    PolicyCritics critics = critics();
    Tensor now = critics.worth(step, Moment.NOW);
    Tensor next = critics.worth(step, Moment.NEXT);
    List<Tensor> answers = new ArrayList<>();
    for (int signal : signals) {
      int logging = signal * heads + heads - 1;
      Tensor future =
          next.slice(1, logging, logging + 1L).mul(step.continues()).mul((float) discount);
      answers.add(logChances(step, Moment.NOW, signal).exp().mul(step.loggedAction()).sum(-1));
      answers.add(
          step.rewards()
              .slice(1, signal, signal + 1L)
              .add(future)
              .sub(now.slice(1, logging, logging + 1L))
              .mul((float) followed.getOrDefault(signal, 0)));
    }
    return Tensor.concat(1, answers);
  }

  private static boolean isBetter(double[] weights, float[] gains) {
    if (Arrays.stream(weights).sum() == 0) {
      return false;
    }
    PolicyEstimate estimate = PolicyEstimate.of(weights, gains, 1);
    double squares = 0;
    for (int row = 0; row < weights.length; row++) {
      double own = estimate.influence()[0][row] - estimate.logInfluence()[0][row];
      squares += own * own;
    }
    double error = Math.sqrt(squares) / weights.length;
    return estimate.mean()[0] - estimate.logMean()[0] > CONFIDENCE * error;
  }
}
