package io.bellwether.trainer.algorithm;

import io.bellwether.trainer.graph.Graph;
import io.bellwether.trainer.graph.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * What conservative critics keep small: {@code log Σ_b exp Q(s, b) - Q(s, a)} over the candidates
 * of a row, exactly.
 *
 * <p>Source: Kumar and others, "Conservative Q-Learning for Offline Reinforcement Learning", 2020;
 * with a floor: Nakamoto and others, "Cal-QL", 2023.
 */
final class ConservativeGap {

  private ConservativeGap() {}

  /** Per row and output, {@code [B, S]}. */
  static Tensor of(StepGraph step, StepCritic critic) {
    return of(step, critic, null);
  }

  /** {@code floor}: values of candidates below it, {@code [B, S]}, are not pushed further down. */
  static Tensor of(StepGraph step, StepCritic critic, @Nullable Tensor floor) {
    Graph graph = step.graph();
    Tensor values = critic.all(Moment.NOW);
    long outputs = values.shape().width();
    if (floor != null) {
      values = values.max(floor.reshape(step.rows(), 1, outputs));
    }
    Tensor open = step.open(Moment.NOW).reshape(step.rows(), step.slots(), 1);
    Tensor masked =
        graph.constant(0.5f).isLessThan(open).select(values, graph.constant(StepActor.MASKED));
    Tensor largest = masked.max(1);
    Tensor together =
        masked.sub(largest).exp().sum(1).log().add(largest).reshape(step.rows(), outputs);
    return together.sub(critic.logged());
  }
}
