package io.bellwether.trainer.network;

import io.bellwether.trainer.graph.Graph;
import io.bellwether.trainer.graph.Tensor;

/** One row of a history by itself: encoding, then one rectified layer. */
record HistoryRow(Encoding encoding, Dense layer) {

  static HistoryRow of(String name, Encoding encoding, int width) {
    return new HistoryRow(encoding, Dense.hidden(name, encoding.width(), width));
  }

  int width() {
    return layer.out();
  }

  void declare(ParameterLayout.Builder layout) {
    encoding.declare(layout);
    layer.declare(layout);
  }

  /** From raw rows {@code [a, b, Dh]} to {@code [a * b, width]}. */
  Tensor apply(Weights weights, Tensor raw) {
    Tensor flat = raw.reshape(count(raw), raw.shape().width());
    return layer.apply(weights, encoding.apply(weights, flat)).relu();
  }

  /** {@code a * b} of {@code [a, b, Dh]}: a symbol where one of them is. */
  static long count(Tensor raw) {
    Graph graph = raw.graph();
    long outer = raw.shape().dimension(0);
    long inner = raw.shape().dimension(1);
    return outer < 0 || inner < 0 ? graph.symbol("historyRows") : outer * inner;
  }
}
