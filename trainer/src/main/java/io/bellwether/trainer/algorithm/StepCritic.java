package io.bellwether.trainer.algorithm;

import io.bellwether.trainer.graph.ElementType;
import io.bellwether.trainer.graph.Tensor;
import io.bellwether.trainer.network.Candidates;
import io.bellwether.trainer.network.Critic;
import io.bellwether.trainer.network.Weights;

/**
 * What a critic says about the rows of a step, in units of each signal's scale. {@code B} rows have
 * {@code M} slots; there are {@code S} outputs: one per signal, or as many per signal as the
 * algorithm has heads, signal by signal. Values are built when they are first asked for.
 */
final class StepCritic {
  private final StepGraph step;
  private final String name;
  private final Critic critic;
  private final Weights weights;

  StepCritic(StepGraph step, String name, Critic critic, Weights weights) {
    this.step = step;
    this.name = name;
    this.critic = critic;
    this.weights = weights;
  }

  /** {@code Q(s, a)} of the logged action, {@code [B, S]}. */
  Tensor logged() {
    return step.built(
        name + ".logged",
        () ->
            critic.actionValues(
                weights,
                encoded(Moment.NOW),
                step.feed(
                    BatchFeed.CHOSEN, ElementType.FLOAT, step.networks().schema().item().size()),
                new Candidates.OnePerState()));
  }

  /** {@code Q(s, .)} of every slot, with a candidate or not, {@code [B, M, S]}. */
  Tensor all(Moment moment) {
    return step.built(
        name + ".all." + moment,
        () -> {
          Tensor flat =
              critic.actionValues(
                  weights,
                  encoded(moment),
                  step.flatItems(moment),
                  new Candidates.Padded(step.slots()));
          return flat.reshape(step.rows(), step.slots(), flat.shape().width());
        });
  }

  /** {@code V(s)}, {@code [B, S]}. */
  Tensor state(Moment moment) {
    return step.built(
        name + ".state." + moment, () -> critic.stateValues(weights, encoded(moment)));
  }

  private Tensor encoded(Moment moment) {
    return step.built(
        name + ".encoded." + moment, () -> critic.encode(weights, step.states(moment)));
  }
}
