package io.bellwether.trainer.tree;

import io.bellwether.trainer.network.NetworkSchema;

/**
 * What was chosen in which state. Arrays are shared and must not be changed.
 *
 * @param context {@code context[row * Dc + column]}
 * @param history {@code history[(row * L + age) * Dh + column]}; empty where there is none
 * @param items the item that was chosen in each row
 * @param weights of each row's likelihood, at least 0: 1 to clone, {@code exp(β A)} to prefer what
 *     turned out better than expected
 */
@SuppressWarnings("ArrayRecordComponent")
public record TreeLog(float[] context, float[] history, int[] items, float[] weights) {

  public int rows() {
    return items.length;
  }

  void check(NetworkSchema schema, ItemTree tree) {
    int rows = rows();
    boolean fits =
        rows > 0
            && weights.length == rows
            && context.length == rows * schema.context().size()
            && history.length == rows * schema.historyLength() * schema.history().size();
    if (!fits) {
      throw new IllegalArgumentException("the columns of " + rows + " rows do not fit the schema");
    }
    for (int row = 0; row < rows; row++) {
      if (items[row] < 0 || items[row] >= tree.items()) {
        throw new IllegalArgumentException("row " + row + " chose item " + items[row]);
      }
      if (!(weights[row] >= 0 && weights[row] <= Float.MAX_VALUE)) {
        throw new IllegalArgumentException("row " + row + " has weight " + weights[row]);
      }
    }
  }
}
