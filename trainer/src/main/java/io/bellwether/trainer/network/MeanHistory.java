package io.bellwether.trainer.network;

import io.bellwether.trainer.graph.Shape;
import io.bellwether.trainer.graph.Tensor;

/** The mean of the encoded valid rows. */
record MeanHistory(HistoryRow row) implements HistoryEncoder {

  @Override
  public int width() {
    return row.width();
  }

  @Override
  public void declare(ParameterLayout.Builder layout) {
    row.declare(layout);
  }

  @Override
  public Tensor apply(Weights weights, Tensor raw) {
    long states = raw.shape().dimension(0);
    long length = raw.shape().dimension(1);
    Tensor encoded = row.apply(weights, raw);
    Tensor valid = raw.slice(2, 0, 1);
    Tensor sum =
        encoded
            .reshape(Shape.of(states, length, width()))
            .mul(valid)
            .sum(1)
            .reshape(states, width());
    Tensor count = valid.sum(1).reshape(states, 1);
    return sum.div(count.max(raw.graph().constant(1f)));
  }
}
