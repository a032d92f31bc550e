package io.bellwether.trainer.graph;

/**
 * The Adam optimiser with a bound on the gradient's norm, over one flat vector of parameters.
 *
 * <p>Source: Kingma and Ba, "Adam: A Method for Stochastic Optimization", 2015, algorithm 1: {@code
 * m ← β1 m + (1-β1) g}, {@code v ← β2 v + (1-β2) g²}, {@code θ ← θ - rate · (m / (1-β1^t)) / (√(v /
 * (1-β2^t)) + ε)}. Difference: {@code g} is first scaled down to {@code maxGradientNorm} where its
 * Euclidean norm is larger.
 *
 * @param meanDecay β1, in [0, 1)
 * @param squareDecay β2, in [0, 1)
 * @param epsilon ε, above 0
 * @param maxGradientNorm largest norm of the gradient of all parameters together, above 0
 */
public record Adam(double meanDecay, double squareDecay, double epsilon, double maxGradientNorm) {

  public static final Adam DEFAULT = new Adam(0.9, 0.999, 1e-8, 10);

  public Adam {
    if (!(meanDecay >= 0 && meanDecay < 1 && squareDecay >= 0 && squareDecay < 1)) {
      throw new IllegalArgumentException(
          "decays must be in [0, 1): " + meanDecay + ", " + squareDecay);
    }
    if (!(epsilon > 0 && maxGradientNorm > 0)) {
      throw new IllegalArgumentException("epsilon and the largest norm must be positive");
    }
  }

  /**
   * The parameters of one learner and the two running moments of their gradient, all of one shape
   * {@code [p]}.
   */
  public record State(Tensor parameters, Tensor mean, Tensor square) {}

  /** State after the step, and the norm of the gradient before it was bounded. */
  public record Step(State state, Tensor gradientNorm) {}

  /** Scalars that change from step to step, computed outside of the graph in double precision. */
  public record Schedule(Tensor rate, Tensor meanCorrection, Tensor squareCorrection) {}

  /** {@code 1 / (1-β1^t)} for step {@code t = 1, 2, ...}. */
  public float meanCorrection(long step) {
    return (float) (1 / (1 - Math.pow(meanDecay, (double) step)));
  }

  /** {@code 1 / (1-β2^t)} for step {@code t = 1, 2, ...}. */
  public float squareCorrection(long step) {
    return (float) (1 / (1 - Math.pow(squareDecay, (double) step)));
  }

  /**
   * Appends the step. What is one number for all parameters (the bound's scale, the corrections) is
   * multiplied together before it meets the vectors: over these, each operator counts.
   */
  public Step step(State state, Tensor gradient, Schedule schedule) {
    Graph graph = gradient.graph();
    Tensor squared = gradient.square();
    Tensor norm = squared.sum().sqrt();
    Tensor scale =
        graph.constant((float) maxGradientNorm).div(norm.add(1e-12f)).min(graph.constant(1f));
    Tensor mean = decay(state.mean, gradient, meanDecay, scale);
    Tensor square = decay(state.square, squared, squareDecay, scale.square());
    Tensor correction = schedule.squareCorrection.sqrt();
    Tensor rate = schedule.rate.mul(schedule.meanCorrection).div(correction);
    Tensor denominator = square.sqrt().add(graph.constant((float) epsilon).div(correction));
    Tensor change = mean.mul(rate).div(denominator);
    return new Step(new State(state.parameters.sub(change), mean, square), norm);
  }

  private static Tensor decay(Tensor average, Tensor value, double decay, Tensor scale) {
    return average.mul((float) decay).add(value.mul(scale.mul((float) (1 - decay))));
  }

  /** Polyak averaging: a target network moved towards the online one by {@code rate}. */
  public static Tensor follow(Tensor target, Tensor online, double rate) {
    return target.add(online.sub(target).mul((float) rate));
  }
}
