package io.bellwether.trainer.algorithm;

import io.bellwether.trainer.graph.Graph;
import io.bellwether.trainer.graph.Tensor;
import java.util.List;
import java.util.Map;

/**
 * Backups that start out optimistic and end as the ordinary ones of the policy: an expectile over
 * candidates that falls to one half while the policy is learned.
 *
 * <p>Source: the idea of a gradual transition from the optimality operator to policy evaluation,
 * arXiv 2506.05968, whose formulas we have not seen; expectile and schedule are ours. Critics are
 * kept low where nothing was logged, since optimism over candidates is optimism about those.
 */
public record Annealed(Config config) implements Algorithm {

  /*
   * Per row (s, a, r, s'), the objective's target, τ the expectile of the step:
   *
   *   y = r + discount · continues · e,   Σ_b π(b|s') |τ - 1{Q'(s', b) < e}| (Q'(s', b) - e) = 0
   *
   * e by bisection between the smallest and the largest value. Other signals: Σ_b π(b|s') Q'(s', b).
   */

  private static final String EXPECTILE = "expectile";

  /** Halvings after which floats cannot tell the bounds apart. */
  private static final int HALVINGS = 24;

  /**
   * What the losses depend on.
   *
   * @param discount weight of the next row in a return, in [0, 1)
   * @param first expectile of the first step, in [0.5, 1)
   * @param last expectile at the end, in [0.5, 1)
   * @param annealing share of the steps in which it falls, in [0, 1]
   * @param conservatism weight of {@link ConservativeGap} in the critics' loss, at least 0
   * @param temperature what entropy is worth to the actor
   */
  public record Config(
      double discount,
      double first,
      double last,
      double annealing,
      double conservatism,
      Temperature temperature) {

    /** From 0.7: an offline learner has nobody to tell it that its optimism was wrong. */
    public static final Config DEFAULT = new Config(0, 0.7, 0.5, 0.6, 1, Temperature.AUTOMATIC);

    public Config {
      if (!(discount >= 0 && discount < 1 && first >= 0.5 && first < 1)) {
        throw new IllegalArgumentException(
            "discount %s, first expectile %s".formatted(discount, first));
      }
      if (!(last >= 0.5 && last < 1 && annealing >= 0 && annealing <= 1 && conservatism >= 0)) {
        throw new IllegalArgumentException(
            "last expectile %s, annealing %s, conservatism %s"
                .formatted(last, annealing, conservatism));
      }
    }

    public Config withDiscount(double value) {
      return new Config(value, first, last, annealing, conservatism, temperature);
    }

    /** The expectile of step 1, 2, ... of this many. */
    double expectile(long step, long steps) {
      double done = annealing == 0 ? 1 : Math.min(1, (step - 1) / (annealing * steps));
      return first + (last - first) * done;
    }
  }

  @Override
  public double discount() {
    return config.discount;
  }

  @Override
  public Map<String, Float> schedule(TrainingPlan plan, long step) {
    return config.discount == 0
        ? Map.of()
        : Map.of(EXPECTILE, (float) config.expectile(step, plan.steps()));
  }

  @Override
  public void addLosses(StepGraph step) {
    TwinCritics critics = new TwinCritics(step, config.discount, 2, Agreement.SMALLEST);
    Tensor loss = critics.regression(critics.backup(() -> next(step, critics)));
    if (config.conservatism > 0) {
      loss = loss.add(critics.overestimation().mul((float) config.conservatism));
    }
    step.minimiseCritic(loss, critics.pace());
    new SoftPolicy(step, config.temperature).improve(step.output(critics.all(Moment.NOW), 0));
  }

  private static Tensor next(StepGraph step, TwinCritics critics) {
    Tensor policy = step.actor().policy(Moment.NEXT).stopGradient();
    Tensor values = critics.slow(Moment.NEXT);
    Tensor objective =
        expectile(
            policy, step.output(values, 0), step.open(Moment.NEXT), step.scheduled(EXPECTILE));
    Tensor expected = step.expectation(policy, values);
    return step.signals() == 1
        ? objective
        : Tensor.concat(1, List.of(objective, expected.slice(1, 1, step.signals())));
  }

  /**
   * The expectile τ of {@code values [B, M]} under a policy, over open slots: {@code [B, 1]}.
   *
   * @param expectile τ, a scalar
   */
  static Tensor expectile(Tensor policy, Tensor values, Tensor open, Tensor expectile) {
    Graph graph = values.graph();
    Tensor isOpen = graph.constant(0.5f).isLessThan(open);
    Tensor far = graph.constant(-StepActor.MASKED);
    Tensor high = isOpen.select(values, far.negate()).max(-1);
    Tensor low = isOpen.select(values.negate(), far.negate()).max(-1).negate();
    Tensor below = graph.constant(1f).sub(expectile);
    for (int i = 0; i < HALVINGS; i++) {
      Tensor middle = low.add(high).mul(0.5f);
      Tensor surprise = values.sub(middle);
      Tensor side = surprise.isLessThan(graph.constant(0f)).select(below, expectile);
      Tensor pull = policy.mul(side).mul(surprise).sum(-1);
      Tensor higher = graph.constant(0f).isLessThan(pull);
      low = higher.select(middle, low);
      high = higher.select(high, middle);
    }
    return low.add(high).mul(0.5f);
  }
}
