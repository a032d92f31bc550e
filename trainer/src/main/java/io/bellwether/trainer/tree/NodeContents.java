package io.bellwether.trainer.tree;

import java.util.Arrays;

/**
 * What describes each node of a tree: the mean and the deviation of its items' vectors, column by
 * column, and its depth in [0, 1]. Inner nodes are kept, single items are read from the vectors,
 * which are not copied. Immutable.
 */
final class NodeContents {

  private final ItemTree tree;
  private final float[] vectors;
  private final int columns;
  private final float[] inner;

  /**
   * @param vectors {@code vectors[item * columns + column]}
   */
  NodeContents(ItemTree tree, float[] vectors, int columns) {
    if (vectors.length != (long) tree.items() * columns) {
      throw new IllegalArgumentException(
          "%d numbers for %d items of %d".formatted(vectors.length, tree.items(), columns));
    }
    this.tree = tree;
    this.vectors = vectors;
    this.columns = columns;
    inner = new float[Math.multiplyExact(tree.innerNodes(), width())];
    double[] sums = new double[columns];
    double[] squares = new double[columns];
    for (int level = 0; level < tree.depth(); level++) {
      for (long node = 0; node < tree.width(level); node++) {
        describe(level, node, sums, squares);
      }
    }
  }

  private void describe(int level, long node, double[] sums, double[] squares) {
    Arrays.fill(sums, 0);
    Arrays.fill(squares, 0);
    int from = tree.from(level, node);
    int to = tree.to(level, node);
    for (int position = from; position < to; position++) {
      int at = tree.item(position) * columns;
      for (int column = 0; column < columns; column++) {
        double value = vectors[at + column];
        sums[column] += value;
        squares[column] += value * value;
      }
    }
    if (to == from) {
      return;
    }
    int at = tree.id(level, node) * width();
    int count = to - from;
    for (int column = 0; column < columns; column++) {
      double mean = sums[column] / count;
      inner[at + column] = (float) mean;
      inner[at + columns + column] =
          (float) Math.sqrt(Math.max(0, squares[column] / count - mean * mean));
    }
    inner[at + 2 * columns] = (float) level / tree.depth();
  }

  /** Numbers of one node. */
  int width() {
    return 2 * columns + 1;
  }

  /** Writes a node's numbers. */
  void write(int id, float[] into, int offset) {
    if (id < tree.innerNodes()) {
      System.arraycopy(inner, id * width(), into, offset, width());
      return;
    }
    int item = tree.item(id - tree.innerNodes());
    System.arraycopy(vectors, item * columns, into, offset, columns);
    Arrays.fill(into, offset + columns, offset + 2 * columns, 0);
    into[offset + 2 * columns] = 1;
  }
}
