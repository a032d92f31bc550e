package io.bellwether.trainer.algorithm;

import io.bellwether.trainer.graph.ElementType;
import io.bellwether.trainer.graph.Tensor;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Critics that learn the same from different first weights, and what they say together. Values are
 * per signal, in units of its scale.
 *
 * @param discount weight of the next row in a return, in [0, 1)
 * @param members how many critics there are
 */
record TwinCritics(StepGraph step, double discount, int members, Agreement agreement) {

  /** {@code Q(s, .)} of every slot by the trained critics, {@code [B, M, S]}, without gradient. */
  Tensor all(Moment moment) {
    return together(member -> step.critic(member).all(moment)).stopGradient();
  }

  /** {@code Q(s, .)} of every slot by the slow copies, {@code [B, M, S]}. */
  Tensor slow(Moment moment) {
    return together(member -> step.slowCritic(member).all(moment));
  }

  /** {@code Q(s, a)} of the logged action by the slow copies, {@code [B, S]}. */
  Tensor slowLogged() {
    return together(member -> step.slowCritic(member).logged());
  }

  private Tensor together(Function<Integer, Tensor> value) {
    return agreement.of(IntStream.range(0, members).boxed().map(value).toList());
  }

  /** Rewards alone, or with what a policy {@code [B, M]} expects of the next state behind them. */
  Tensor target(Function<Moment, Tensor> policy) {
    return backup(() -> step.expectation(policy.apply(Moment.NEXT), slow(Moment.NEXT)));
  }

  /** {@code r + discount · continues · next}; next values {@code [B, S]} only where they count. */
  Tensor backup(StepGraph.Construction next) {
    Tensor rewards = step.rewards();
    if (discount == 0) {
      return rewards;
    }
    Tensor future = next.build().mul(step.continues()).mul((float) discount);
    return rewards.add(future).stopGradient();
  }

  /** Half the squared error at logged actions, over all critics and signals: a scalar. */
  Tensor regression(Tensor target) {
    return sum(member -> halfSquare(step.critic(member).logged().sub(target)));
  }

  /**
   * The larger of two errors: that of a value, and that of the slow copy's moved towards it by at
   * most {@code most}. A critic then gains nothing by leaving its slow copy far behind.
   */
  Tensor clippedRegression(Tensor target, double most) {
    return sum(
        member -> {
          Tensor value = step.critic(member).logged();
          Tensor slow = step.slowCritic(member).logged();
          Tensor near = slow.add(value.sub(slow).clip((float) -most, (float) most));
          return halfSquare(value.sub(target)).max(halfSquare(near.sub(target)));
        });
  }

  /**
   * How much more all candidates are worth together than the logged action, {@code log Σ_b exp Q(s,
   * b) - Q(s, a)}, over all critics and signals: a scalar.
   */
  Tensor overestimation() {
    return sum(member -> ConservativeGap.of(step, step.critic(member)));
  }

  private Tensor sum(Function<Integer, Tensor> perRow) {
    return IntStream.range(0, members)
        .boxed()
        .map(member -> step.mean(perRow.apply(member)))
        .reduce(Tensor::add)
        .orElseThrow();
  }

  private static Tensor halfSquare(Tensor error) {
    return error.square().mul(0.5f);
  }

  /**
   * By how much the objective's value of the logged action exceeds what the policy {@code [B, M]}
   * expects, {@code [B, 1]}, without gradient. The sum is over differences, so that an action that
   * is certain has an advantage of exactly 0.
   */
  Tensor loggedAdvantage(Tensor policy) {
    Tensor values = step.output(all(Moment.NOW), 0);
    Tensor logged = values.mul(step.loggedAction()).sum(-1);
    return policy.mul(logged.sub(values)).sum(-1).stopGradient();
  }

  /**
   * Values that look ahead move with the policy that they are of, through the whole run; rewards
   * alone are learned by heart if they are looked at too often.
   */
  Pace pace() {
    return discount == 0 ? Pace.SOME_EPOCHS : Pace.THROUGHOUT;
  }

  /** 1 at the best slot of {@code values [B, M]}, in equal parts where several are best, else 0. */
  static Tensor best(Tensor values) {
    Tensor best = values.isEqualTo(values.max(-1)).cast(ElementType.FLOAT);
    return best.div(best.sum(-1));
  }
}
