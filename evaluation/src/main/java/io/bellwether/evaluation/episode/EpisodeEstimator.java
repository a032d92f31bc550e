package io.bellwether.evaluation.episode;

import io.bellwether.evaluation.CompensatedSums;

/**
 * The formulas for a signal's discounted value per episode. Weighted ones divide by the mean weight
 * of each place; that leaves a bias towards the log where few effective episodes are left, by more
 * than the standard error says. Those with a model also count what it expects after an episode was
 * cut off; the others do not.
 *
 * <p>Sources: Precup, Sutton and Singh, "Eligibility Traces for Off-Policy Policy Evaluation",
 * 2000; Jiang and Li, "Doubly Robust Off-policy Value Evaluation for Reinforcement Learning", 2016;
 * Thomas and Brunskill, "Data-Efficient Off-Policy Policy Evaluation for Reinforcement Learning",
 * 2016. Differences: places in place of steps, so that slates fit; the weighted estimators'
 * standard errors are linearised, so that they know of the normalisers.
 */
public enum EpisodeEstimator {
  /** Trajectory-wise importance sampling. */
  TRAJECTORY("tis", Weights.PRODUCT, true, false),
  /** Per-decision importance sampling. */
  PER_DECISION("pdis", Weights.PRODUCT, false, false),
  WEIGHTED_TRAJECTORY("wtis", Weights.RELATIVE, true, false),
  WEIGHTED_PER_DECISION("wpdis", Weights.RELATIVE, false, false),
  /** What the model expects at the first step: fitted-Q evaluation, where that is the model. */
  DIRECT("fqe", Weights.NONE, false, true),
  DOUBLY_ROBUST("dr", Weights.PRODUCT, false, true),
  WEIGHTED_DOUBLY_ROBUST("wdr", Weights.RELATIVE, false, true);

  /*
   * ω_p is ρ_p, u_p, or their last value in the episode; ω_{-1} = 1; without a model Q̂ = V̂ = 0.
   *
   *   x_ip = r_ip - Q̂_ip
   *   V    = Σ_p d_p (mean_i ω_ip x_ip + mean_i ω_{i,p-1} V̂_ip)
   *   ψ_i  = Σ_p d_p (ω_ip x_ip + ω_{i,p-1} V̂_ip) - V                             for products
   *   ψ_i  = Σ_p d_p (u_ip (x_ip - X_p) + u_{i,p-1} (V̂_ip - Y_p))                 for relative ones,
   *          X_p = mean_i u_ip x_ip,  Y_p = mean_i u_{i,p-1} V̂_ip
   *
   * Invariants: ρ = 1 without a model is the plain discounted mean; one step of one position is IPS,
   * SNIPS, DM, DR of the bandit, and self-normalised DR.
   */

  private enum Weights {
    NONE,
    PRODUCT,
    RELATIVE
  }

  private final String word;
  private final Weights weights;
  private final boolean wholeTrajectory;
  private final boolean usesModel;

  EpisodeEstimator(String word, Weights weights, boolean wholeTrajectory, boolean usesModel) {
    this.word = word;
    this.weights = weights;
    this.wholeTrajectory = wholeTrajectory;
    this.usesModel = usesModel;
  }

  /** What reports call it. */
  public String word() {
    return word;
  }

  public boolean usesModel() {
    return usesModel;
  }

  /**
   * A signal's value; not finite where products of ratios leave the range of a double.
   *
   * @throws IllegalArgumentException when there is no episode, or no model and this one needs it
   */
  public EpisodeInfluence of(EpisodeSteps steps, StepSignal signal) {
    if (steps.episodes() == 0) {
      throw new IllegalArgumentException("there are no episodes");
    }
    if (usesModel && !signal.hasModel()) {
      throw new IllegalArgumentException(word + " needs a model");
    }
    return weights == Weights.NONE ? direct(steps, signal) : weighted(steps, signal);
  }

  private static EpisodeInfluence direct(EpisodeSteps steps, StepSignal signal) {
    double[] values = new double[steps.episodes()];
    EpisodeSteps.Reader reader = steps.reader();
    for (int episode = 0; episode < values.length; episode++) {
      reader.read(episode, signal);
      for (int place = 0; place < steps.positions(); place++) {
        values[episode] += reader.direct(place);
      }
    }
    return centred(values);
  }

  private static EpisodeInfluence centred(double[] values) {
    double mean = CompensatedSums.of(values) / values.length;
    for (int episode = 0; episode < values.length; episode++) {
      values[episode] -= mean;
    }
    return EpisodeInfluence.unbiased(mean, values);
  }

  private EpisodeInfluence weighted(EpisodeSteps steps, StepSignal signal) {
    double[] unexplained = new double[steps.places()];
    double[] expected = new double[steps.places()];
    if (weights == Weights.PRODUCT) {
      return centred(rows(steps, signal, unexplained, expected));
    }
    CompensatedSums sums = new CompensatedSums(2 * steps.places());
    EpisodeSteps.Reader reader = steps.reader();
    for (int episode = 0; episode < steps.episodes(); episode++) {
      reader.read(episode, signal);
      double before = 1;
      for (int place = 0; place < steps.places(); place++) {
        double weight = weight(reader, place, steps);
        sums.add(2 * place, weight * unexplained(reader, place));
        sums.add(2 * place + 1, before * expected(reader, place));
        before = weight;
      }
    }
    CompensatedSums total = new CompensatedSums(1);
    for (int place = 0; place < steps.places(); place++) {
      unexplained[place] = sums.get(2 * place) / steps.episodes();
      expected[place] = sums.get(2 * place + 1) / steps.episodes();
      total.add(0, steps.discount(place) * (unexplained[place] + expected[place]));
    }
    return EpisodeInfluence.unbiased(total.get(0), rows(steps, signal, unexplained, expected));
  }

  /** Each episode's discounted sum of what its places hold beyond the centres of those places. */
  private double[] rows(
      EpisodeSteps steps, StepSignal signal, double[] unexplained, double[] expected) {
    double[] rows = new double[steps.episodes()];
    EpisodeSteps.Reader reader = steps.reader();
    for (int episode = 0; episode < rows.length; episode++) {
      reader.read(episode, signal);
      double row = 0;
      double before = 1;
      for (int place = 0; place < steps.places(); place++) {
        double weight = weight(reader, place, steps);
        row +=
            steps.discount(place)
                * (weight * (unexplained(reader, place) - unexplained[place])
                    + before * (expected(reader, place) - expected[place]));
        before = weight;
      }
      rows[episode] = row;
    }
    return rows;
  }

  private double weight(EpisodeSteps.Reader reader, int place, EpisodeSteps steps) {
    int weighted = wholeTrajectory ? steps.places() - 1 : place;
    return weights == Weights.PRODUCT ? reader.product(weighted) : reader.relative(weighted);
  }

  private double unexplained(EpisodeSteps.Reader reader, int place) {
    return usesModel ? reader.reward(place) - reader.prediction(place) : reader.reward(place);
  }

  private double expected(EpisodeSteps.Reader reader, int place) {
    return usesModel ? reader.direct(place) : 0;
  }
}
