package io.bellwether.trainer.algorithm;

import io.bellwether.trainer.graph.Graph;
import io.bellwether.trainer.graph.Shape;
import io.bellwether.trainer.graph.Tensor;
import java.util.Arrays;
import java.util.List;

/**
 * Actor-critic of the reward per decision in the long run, for feeds without an end, where any
 * discount would be arbitrary. An episode that ends is followed by a new one's first state.
 *
 * <p>Source: the differential temporal difference, Sutton and Barto, "Reinforcement Learning",
 * second edition, section 10.3; off-policy with target copies: Saxena and others, "Off-Policy
 * Average Reward Actor-Critic with Deterministic Policy Search", 2023. Differences: (1) discrete
 * candidates and exact expectations; (2) the constant that values are free by is held by a penalty
 * on their mean, in place of subtracting it now and then; (3) critics are kept low where nothing
 * was logged.
 */
public record AverageReward(Config config) implements Algorithm {

  /*
   * Per row (s, a, r, s') and signal, ρ the gain, Q' slow copies, s0 first states:
   *
   *   δ    = r - ρ + [ continues ? Σ_b π(b|s') Q'(s', b) : V0 ] - Q(s, a)
   *   L_Q  = ½ δ² + pull · ( mean Q(s, a) )²
   *   ρ   += gainRate · mean( w δ ),    w = min(π(a|s) / propensity, 5)
   *   V0  += startRate · ( mean of Σ_b π(b|s0) Q'(s0, b) over the batch - V0 )
   */

  private static final String GAIN = "gain";
  private static final String START = "start";
  private static final String FIRST = "first";
  private static final String PROPENSITY = "propensity";

  private static final float LARGEST_WEIGHT = 5;
  private static final float PULL = 0.1f;
  private static final float START_RATE = 0.01f;

  /**
   * What the losses depend on.
   *
   * @param gainRate share of the mean error by which the gain moves at each step, above 0
   * @param conservatism weight of {@link ConservativeGap} in the critics' loss, at least 0
   * @param temperature what entropy is worth to the actor
   */
  public record Config(double gainRate, double conservatism, Temperature temperature) {

    public static final Config DEFAULT = new Config(1e-3, 0.5, Temperature.AUTOMATIC);

    public Config {
      if (!(gainRate > 0 && gainRate <= 1 && conservatism >= 0)) {
        throw new IllegalArgumentException(
            "gain rate %s, conservatism %s".formatted(gainRate, conservatism));
      }
    }
  }

  @Override
  public TrainedPolicy train(Engine engine) {
    LearnerData data = engine.data();
    float[] first = new float[data.rows()];
    Arrays.fill(first, 1);
    for (int next : data.next()) {
      if (next >= 0) {
        first[next] = 0;
      }
    }
    float[] propensity = new float[data.rows()];
    for (int row = 0; row < propensity.length; row++) {
      propensity[row] = (float) data.propensity()[row];
    }
    return engine
        .learn(this, Given.NONE.withRows(FIRST, first).withRows(PROPENSITY, propensity))
        .withoutCritic();
  }

  @Override
  public void addLosses(StepGraph step) {
    TwinCritics critics = new TwinCritics(step, 0, 2, Agreement.MEAN);
    Tensor gain = step.carried(GAIN, new float[step.signals()]);
    Tensor target = step.rewards().sub(gain).add(next(step, critics)).stopGradient();
    Tensor logged = step.critic(0).logged().add(step.critic(1).logged()).mul(0.5f);
    Tensor loss = critics.regression(target).add(logged.mean(0).square().sum().mul(PULL));
    if (config.conservatism > 0) {
      loss = loss.add(critics.overestimation().mul((float) config.conservatism));
    }
    // not minimiseCritic: differential values are not bounded by a return
    step.gauge(StepGraph.CRITIC_LOSS, loss);
    step.minimise(List.of(StepGraph.criticName(0), StepGraph.criticName(1)), loss, Pace.THROUGHOUT);
    carryGain(step, gain, target.sub(logged.stopGradient()));
    new SoftPolicy(step, config.temperature).improve(step.output(critics.all(Moment.NOW), 0));
  }

  private Tensor next(StepGraph step, TwinCritics critics) {
    Tensor start = step.carried(START, new float[step.signals()]);
    Tensor here =
        step.expectation(step.actor().policy(Moment.NOW), critics.slow(Moment.NOW)).stopGradient();
    Tensor first = step.perRow(FIRST);
    Tensor count = first.sum();
    Tensor mean =
        here.mul(first).sum(0).reshape(step.signals()).div(count.max(step.graph().constant(1f)));
    Tensor any = count.min(step.graph().constant(1f)).mul(START_RATE);
    step.carry(START, start.add(mean.sub(start).mul(any)));
    Tensor there = step.expectation(step.actor().policy(Moment.NEXT), critics.slow(Moment.NEXT));
    Tensor goesOn = step.continues();
    return there.mul(goesOn).add(start.mul(step.graph().constant(1f).sub(goesOn)));
  }

  private void carryGain(StepGraph step, Tensor gain, Tensor error) {
    Graph graph = step.graph();
    Tensor weight =
        step.actor()
            .loggedLogPolicy()
            .stopGradient()
            .exp()
            .div(step.perRow(PROPENSITY))
            .min(graph.constant(LARGEST_WEIGHT));
    Tensor mean = error.mul(weight).mean(0).reshape(step.signals());
    step.carry(GAIN, gain.add(mean.mul((float) config.gainRate)));
    step.gauge("critic.gain", gain.slice(0, 0, 1).reshape(Shape.of()));
  }
}
