package io.bellwether.trainer.algorithm;

import io.bellwether.trainer.graph.Tensor;
import java.util.List;

/** What several critics that learn the same say together. */
public enum Agreement {
  /** The smallest of them: a maximum over noisy values is too large, and this makes up for it. */
  SMALLEST {
    @Override
    Tensor of(List<Tensor> values) {
      return values.stream().reduce(Tensor::min).orElseThrow();
    }
  },

  /** Their mean. */
  MEAN {
    @Override
    Tensor of(List<Tensor> values) {
      return values.stream().reduce(Tensor::add).orElseThrow().mul(1f / values.size());
    }
  };

  abstract Tensor of(List<Tensor> values);
}
