package io.bellwether.trainer.tree;

/**
 * A balanced tree whose leaves are items: every inner node has at most {@code arity} children, and
 * the items below two nodes of one level differ in number by at most one.
 *
 * <p>The items stand in one row, alike ones near each other, and node {@code k} of level {@code l}
 * has those at the positions {@code ⌊k N / c^l⌋} to {@code ⌊(k+1) N / c^l⌋}. So a tree is an order
 * of its items and two numbers. The root is level 0; on the last level each node has one item or
 * none. Immutable and thread-safe.
 */
public final class ItemTree {

  private final int arity;
  private final int depth;
  private final int innerNodes;

  /** {@code order[position]} is an item, {@code positions[item]} where it stands. */
  private final int[] order;

  private final int[] positions;

  /** {@code widths[level]} is the number of nodes of a level. */
  private final long[] widths;

  ItemTree(int arity, int[] order) {
    if (arity < 2 || order.length == 0) {
      throw new IllegalArgumentException(
          "no tree of " + order.length + " items and " + arity + " children");
    }
    this.arity = arity;
    this.order = order;
    depth = depth(arity, order.length);
    widths = new long[depth + 1];
    widths[0] = 1;
    long inner = 0;
    for (int level = 0; level < depth; level++) {
      inner += widths[level];
      widths[level + 1] = widths[level] * arity;
    }
    innerNodes = Math.toIntExact(inner);
    positions = new int[order.length];
    for (int position = 0; position < order.length; position++) {
      positions[order[position]] = position;
    }
  }

  /** {@code ⌈log_arity items⌉}, at least 1. */
  static int depth(int arity, int items) {
    int depth = 1;
    for (long leaves = arity; leaves < items; leaves *= arity) {
      depth++;
    }
    return depth;
  }

  public int items() {
    return order.length;
  }

  /** Most children of a node. */
  public int arity() {
    return arity;
  }

  /** Levels below the root. */
  public int depth() {
    return depth;
  }

  /** Nodes above the last level: {@code (arity^depth - 1) / (arity - 1)}. */
  public int innerNodes() {
    return innerNodes;
  }

  /** Inner nodes and items. */
  public int nodes() {
    return innerNodes + order.length;
  }

  /** The item at a position. */
  public int item(int position) {
    return order[position];
  }

  /** Where an item stands. */
  public int position(int item) {
    return positions[item];
  }

  /** First position below a node. */
  public int from(int level, long node) {
    return (int) (node * order.length / widths[level]);
  }

  /** Position after the last below a node. */
  public int to(int level, long node) {
    return from(level, node + 1);
  }

  /** The node of a level above a position. */
  public long nodeAbove(int level, int position) {
    long leaf = ((position + 1L) * widths[depth] + order.length - 1) / order.length - 1;
    return leaf / (widths[depth] / widths[level]);
  }

  /**
   * A number of a node that has items, in {@code [0, nodes())}: inner nodes come first, level by
   * level, then items by position.
   */
  public int id(int level, long node) {
    return level == depth
        ? innerNodes + from(level, node)
        : (int) ((widths[level] - 1) / (arity - 1) + node);
  }

  /** How many nodes a level has, those without items included. */
  long width(int level) {
    return widths[level];
  }
}
