package io.bellwether.trainer.tree;

import java.util.Arrays;

/** Which items of a tree can be chosen: all but some. Immutable. */
public final class OpenItems {

  private final ItemTree tree;

  /** Positions of the items that cannot, ascending. */
  private final int[] closed;

  private OpenItems(ItemTree tree, int[] closed) {
    this.tree = tree;
    this.closed = closed;
  }

  public static OpenItems all(ItemTree tree) {
    return new OpenItems(tree, new int[0]);
  }

  /** All but these, of which each may be named more than once. */
  public static OpenItems allBut(ItemTree tree, int... items) {
    return new OpenItems(
        tree, Arrays.stream(items).map(tree::position).sorted().distinct().toArray());
  }

  /** How many items below a node can be chosen. */
  public int below(int level, long node) {
    int from = tree.from(level, node);
    int to = tree.to(level, node);
    return to - from - (before(to) - before(from));
  }

  private int before(int position) {
    int found = Arrays.binarySearch(closed, position);
    return found < 0 ? -1 - found : found;
  }
}
