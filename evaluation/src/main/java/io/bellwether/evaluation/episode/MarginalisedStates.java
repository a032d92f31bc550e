package io.bellwether.evaluation.episode;

import io.bellwether.evaluation.CompensatedSums;

/**
 * Marginalised importance sampling where states are numbered: the weight of a step is how much more
 * often the target policy comes to its state, times one ratio of chances, in place of a product
 * over all earlier steps. Episodes that have ended are in no state. The arrays are not copied.
 *
 * <p>Source: Xie, Ma and Wang, "Towards Optimal Off-Policy Evaluation for Reinforcement Learning
 * with Marginalized Importance Sampling", 2019.
 *
 * @param value discounted value per episode
 * @param density {@code [step][state]}: how often the target comes to each state
 * @param overlapUntil first step that the target reaches with no logged episode; the number of
 *     steps where there is none
 */
@SuppressWarnings("ArrayRecordComponent") // carried, not compared
public record MarginalisedStates(double value, double[][] density, int overlapUntil) {

  /*
   *   d_0      = empirical
   *   d_{t+1}  ∝ mean_i d_t(s_t) / d^b_t(s_t) · ratio_t · 1{s_{t+1} = s'}
   *   V        = Σ_t γ^t mean_i d_t(s_t) / d^b_t(s_t) · ratio_t · r_t
   *
   * The sum of d_t is what of the logged mass still runs, so that an ended episode's share stays out.
   */

  /**
   * The value of a policy.
   *
   * @param target its chances {@code [state][action]}
   * @param discount weight of the next step, in [0, 1]
   */
  public static MarginalisedStates of(TabularEpisodes log, double[][] target, double discount) {
    log.requirePolicy(target);
    int horizon = log.longest();
    double[][] density = new double[horizon][];
    CompensatedSums value = new CompensatedSums(1);
    double[] current = logged(log, 0);
    double weight = 1;
    for (int step = 0; step < horizon; step++) {
      density[step] = current;
      double[] logged = logged(log, step);
      CompensatedSums next = new CompensatedSums(log.states() + 1);
      for (int episode = 0; episode < log.episodes(); episode++) {
        int row = log.first()[episode] + step;
        if (row < log.first()[episode + 1]) {
          int state = log.state()[row];
          double ratio = target[state][log.action()[row]] / log.propensity()[row];
          double share = current[state] / logged[state] * ratio / log.episodes();
          value.add(0, weight * share * log.reward()[row]);
          boolean goesOn = row + 1 < log.first()[episode + 1];
          next.add(goesOn ? log.state()[row + 1] : log.states(), share);
        }
      }
      double mass = sum(current);
      double reached = 0;
      for (int state = 0; state <= log.states(); state++) {
        reached += next.get(state);
      }
      if (reached == 0) {
        return new MarginalisedStates(value.get(0), density, step);
      }
      current = new double[log.states()];
      for (int state = 0; state < current.length; state++) {
        current[state] = next.get(state) / reached * mass;
      }
      weight *= discount;
      if (sum(current) == 0) {
        return new MarginalisedStates(value.get(0), density, horizon);
      }
    }
    return new MarginalisedStates(value.get(0), density, horizon);
  }

  /** Share of all episodes that are in each state at a step. */
  private static double[] logged(TabularEpisodes log, int step) {
    double[] share = new double[log.states()];
    for (int episode = 0; episode < log.episodes(); episode++) {
      int row = log.first()[episode] + step;
      if (row < log.first()[episode + 1]) {
        share[log.state()[row]] += 1.0 / log.episodes();
      }
    }
    return share;
  }

  private static double sum(double[] values) {
    return CompensatedSums.of(values);
  }
}
