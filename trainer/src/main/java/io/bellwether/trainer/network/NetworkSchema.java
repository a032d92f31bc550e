package io.bellwether.trainer.network;

import java.util.List;

/**
 * The columns that actor and critic of one surface take in, and the signals that they predict.
 *
 * @param context columns of {@code context [R, Dc]}
 * @param history columns of one history row; the first is a flag that is 1 for a valid row and 0
 *     for padding; empty where no history is kept
 * @param historyLength rows of history per state, 0 where no history is kept
 * @param item columns of {@code items [N, Di]}
 * @param signals names of the signals, in the order of rewards and values; the first is the
 *     objective
 */
public record NetworkSchema(
    List<Column> context,
    List<Column> history,
    int historyLength,
    List<Column> item,
    List<String> signals) {

  public NetworkSchema {
    context = List.copyOf(context);
    history = List.copyOf(history);
    item = List.copyOf(item);
    signals = List.copyOf(signals);
    if (item.isEmpty()) {
      throw new IllegalArgumentException(
          "items need at least one column, or no policy can tell them apart");
    }
    if (context.isEmpty()) {
      throw new IllegalArgumentException(
          "a context needs at least one column (a constant flag will do)");
    }
    if (signals.isEmpty()) {
      throw new IllegalArgumentException("at least one signal is needed: the objective");
    }
    if (historyLength < 0 || (historyLength > 0) == history.isEmpty()) {
      throw new IllegalArgumentException(
          historyLength
              + " history rows of "
              + history.size()
              + " columns: both are 0 or neither is");
    }
    if (!history.isEmpty() && !(history.get(0) instanceof Column.Flag)) {
      throw new IllegalArgumentException(
          "the first history column must be the flag of a valid row");
    }
  }

  public boolean hasHistory() {
    return historyLength > 0;
  }
}
