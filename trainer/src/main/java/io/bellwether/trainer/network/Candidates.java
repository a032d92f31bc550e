package io.bellwether.trainer.network;

import io.bellwether.trainer.graph.Tensor;
import java.util.function.BinaryOperator;

/** How rows of candidates {@code [n, d]} belong to rows of states {@code [r, d]}. */
public interface Candidates {

  /** An elementwise operation of each candidate's row with its state's row: {@code [n, d]}. */
  Tensor combine(Tensor candidates, Tensor states, BinaryOperator<Tensor> operation);

  /** Inner product of each candidate's row with its state's row: {@code [n, 1]}. */
  default Tensor innerProducts(Tensor candidates, Tensor states) {
    return combine(candidates, states, Tensor::mul).sum(-1);
  }

  /**
   * Training: every state has {@code slots} consecutive candidates, of which a mask says which are
   * real.
   */
  record Padded(long slots) implements Candidates {
    @Override
    public Tensor combine(Tensor candidates, Tensor states, BinaryOperator<Tensor> operation) {
      long count = states.shape().dimension(0);
      long width = candidates.shape().width();
      Tensor grouped = candidates.reshape(count, slots, width);
      return operation
          .apply(grouped, states.reshape(count, 1, width))
          .reshape(count * slots, width);
    }

    @Override
    public Tensor innerProducts(Tensor candidates, Tensor states) {
      long count = states.shape().dimension(0);
      Tensor grouped = candidates.reshape(count, slots, candidates.shape().width());
      return grouped.innerProducts(states).reshape(count * slots, 1);
    }
  }

  /** Export: {@code request [n]} names each candidate's state. */
  record Ragged(Tensor request) implements Candidates {
    @Override
    public Tensor combine(Tensor candidates, Tensor states, BinaryOperator<Tensor> operation) {
      return operation.apply(candidates, states.gatherRows(request));
    }
  }

  /** One candidate per state, in the same order: logged actions. */
  record OnePerState() implements Candidates {
    @Override
    public Tensor combine(Tensor candidates, Tensor states, BinaryOperator<Tensor> operation) {
      return operation.apply(candidates, states);
    }
  }
}
