package io.bellwether.trainer.algorithm;

import io.bellwether.policy.scoring.Exploration;
import io.bellwether.trainer.graph.ElementType;
import io.bellwether.trainer.graph.Graph;
import io.bellwether.trainer.graph.Tensor;
import io.bellwether.trainer.network.Actor;
import io.bellwether.trainer.network.Candidates;
import io.bellwether.trainer.network.Weights;

/**
 * What an actor says about the rows of a step. {@code B} rows have {@code M} slots. Values are
 * built when they are first asked for.
 *
 * <p>The policy is the one that is served: per slot the weight {@code (1 - e) softmax(logits /
 * temperature) + e / M'} over all {@code M'} candidates of its row, where {@code e} is raised where
 * the floor asks for it, divided by the weights of all candidates that may stand at the position.
 */
final class StepActor {

  /** A logit that no softmax notices, yet finite, so that gradients and entropies are. */
  static final float MASKED = -1e9f;

  private final StepGraph step;
  private final String name;
  private final Actor actor;
  private final Weights weights;

  StepActor(StepGraph step, String name, Actor actor, Weights weights) {
    this.step = step;
    this.name = name;
    this.actor = actor;
    this.weights = weights;
  }

  /** Logits of every slot, {@code [B, M]}, with a candidate or not. */
  Tensor logits(Moment moment) {
    return step.built(
        key("logits", moment),
        () ->
            actor
                .logits(
                    weights,
                    step.states(moment),
                    step.flatItems(moment),
                    new Candidates.Padded(step.slots()))
                .reshape(step.rows(), step.slots()));
  }

  /**
   * {@code log softmax(logits / temperature)} over all candidates of each row, {@code [B, M]};
   * about -1e9 at slots without one.
   */
  Tensor logSoftmax(Moment moment) {
    return step.built(
        key("logSoftmax", moment), () -> tempered(moment, step.mask(moment)).logSoftmax());
  }

  /** Log of the served policy, {@code [B, M]}; about -1e9 at slots that cannot be chosen. */
  Tensor logPolicy(Moment moment) {
    return step.built(
        key("logPolicy", moment),
        () -> {
          Exploration exploration = step.exploration();
          if (exploration.uniform() == 0 && exploration.minPropensity() == 0) {
            return tempered(moment, step.open(moment)).logSoftmax();
          }
          Graph graph = step.graph();
          Tensor candidates = step.mask(moment).sum(-1);
          Tensor uniform =
              candidates
                  .mul((float) exploration.minPropensity())
                  .max(graph.constant((float) exploration.uniform()))
                  .min(graph.constant(1f));
          Tensor weight =
              logSoftmax(moment).exp().mul(uniform.negate().add(1f)).add(uniform.div(candidates));
          Tensor left = weight.mul(step.open(moment)).sum(-1);
          return isOpen(moment).select(weight.log().sub(left.log()), graph.constant(MASKED));
        });
  }

  /** The served policy, {@code [B, M]}: sums to 1 over the slots of a row. */
  Tensor policy(Moment moment) {
    return step.built(key("policy", moment), () -> logPolicy(moment).exp());
  }

  /** Log of the served chance of the logged action, {@code [B, 1]}. */
  Tensor loggedLogPolicy() {
    return step.built(
        name + ".loggedLogPolicy",
        () -> logPolicy(Moment.NOW).pick(step.feed(BatchFeed.ACTION, ElementType.INT64, 1)));
  }

  /** Mean over the batch's candidates of the squared logit: a scalar. */
  Tensor meanSquaredLogit() {
    return step.built(
        name + ".meanSquaredLogit",
        () -> {
          Tensor mask = step.mask(Moment.NOW);
          return logits(Moment.NOW).square().mul(mask).sum().div(mask.sum());
        });
  }

  private Tensor tempered(Moment moment, Tensor allowed) {
    Graph graph = step.graph();
    Tensor tempered = logits(moment).mul((float) (1 / step.exploration().temperature()));
    return graph.constant(0.5f).isLessThan(allowed).select(tempered, graph.constant(MASKED));
  }

  private Tensor isOpen(Moment moment) {
    return step.graph().constant(0.5f).isLessThan(step.open(moment));
  }

  private String key(String what, Moment moment) {
    return name + "." + what + "." + moment;
  }
}
