package io.bellwether.trainer.network;

import io.bellwether.trainer.graph.Tensor;

/**
 * From the raw rows of histories to one row per state.
 *
 * <p>Rows are ordered in time with the newest last; where there are fewer than the schema keeps,
 * padding stands before them. The first column is 1 for a valid row and 0 for padding. Padding
 * changes no answer, and a state without valid rows has zeros. Immutable.
 */
sealed interface HistoryEncoder
    permits MeanHistory, GruHistory, StateSpaceHistory, AttentionHistory {

  /** Width of a state's row. */
  int width();

  void declare(ParameterLayout.Builder layout);

  /** From raw rows {@code [r, L, Dh]} to {@code [r, width]}. */
  Tensor apply(Weights weights, Tensor raw);

  /** The encoder of a configuration, for a schema that has a history. */
  static HistoryEncoder of(
      String name, NetworkSchema schema, NetworkConfig config, Normalisation normalisation) {
    Encoding encoding = new Encoding(name, schema.history(), normalisation.history());
    return switch (config.form()) {
      case MEAN -> new MeanHistory(HistoryRow.of(name, encoding, config.history()));
      case GRU -> new GruHistory(name, HistoryRow.of(name, encoding, config.history()));
      case STATE_SPACE ->
          new StateSpaceHistory(
              name, HistoryRow.of(name, encoding, config.history()), schema.historyLength());
      case ATTENTION ->
          AttentionHistory.of(name, encoding, config.history(), schema.historyLength());
    };
  }
}
