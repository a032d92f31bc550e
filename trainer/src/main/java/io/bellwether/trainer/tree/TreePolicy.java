package io.bellwether.trainer.tree;

import java.util.Arrays;

/**
 * The choice of an item from the root of a tree down: {@code π(item) = Π π(child | node)}, where
 * {@code π(child | node)} is the softmax of the children's scores, each chance multiplied by the
 * share of the child's items that are open, and scaled to a sum of 1. An item that is not open has
 * no chance, wherever it stands. Stateless and thread-safe.
 *
 * <p>Source: Chen and others, "Large-scale interactive recommendation with tree-structured policy
 * gradient", 2019.
 */
public final class TreePolicy {

  private final ItemTree tree;

  public TreePolicy(ItemTree tree) {
    this.tree = tree;
  }

  /**
   * The logarithm of each child's chance at a node with open items; negative infinity for one
   * without.
   *
   * @param into of the tree's arity
   * @return how many children were scored
   */
  int children(int level, long node, NodeScores scores, OpenItems open, double[] into) {
    double most = Double.NEGATIVE_INFINITY;
    int scored = 0;
    for (int child = 0; child < into.length; child++) {
      long each = node * into.length + child;
      int left = open.below(level + 1, each);
      into[child] = Double.NEGATIVE_INFINITY;
      if (left > 0) {
        int all = tree.to(level + 1, each) - tree.from(level + 1, each);
        into[child] = scores.of(tree.id(level + 1, each)) + Math.log((double) left / all);
        most = Math.max(most, into[child]);
        scored++;
      }
    }
    double sum = 0;
    for (double each : into) {
      sum += Math.exp(each - most);
    }
    double total = most + Math.log(sum);
    for (int child = 0; child < into.length; child++) {
      into[child] -= total;
    }
    return scored;
  }

  /** The logarithm of an item's chance; negative infinity where it is not open. */
  public double logChance(int item, NodeScores scores, OpenItems open) {
    double[] children = new double[tree.arity()];
    double sum = 0;
    long node = 0;
    for (int level = 0; level < tree.depth(); level++) {
      long child = tree.nodeAbove(level + 1, tree.position(item));
      if (open.below(level + 1, child) == 0) {
        return Double.NEGATIVE_INFINITY;
      }
      int unused = children(level, node, scores, open, children);
      sum += children[(int) (child - node * tree.arity())];
      node = child;
    }
    return sum;
  }

  /** The chance of every item, by its number; at least one is open. */
  public double[] chances(NodeScores scores, OpenItems open) {
    double[] chances = new double[tree.items()];
    spread(0, 0, 0, scores, open, chances);
    return chances;
  }

  private void spread(
      int level, long node, double log, NodeScores scores, OpenItems open, double[] chances) {
    if (level == tree.depth()) {
      chances[tree.item(tree.from(level, node))] = Math.exp(log);
      return;
    }
    double[] children = new double[tree.arity()];
    int unused = children(level, node, scores, open, children);
    for (int child = 0; child < children.length; child++) {
      if (children[child] > Double.NEGATIVE_INFINITY) {
        spread(
            level + 1, node * tree.arity() + child, log + children[child], scores, open, chances);
      }
    }
  }

  /**
   * The likeliest items that a search finds which goes on from the {@code width} likeliest nodes of
   * each level.
   *
   * @param most items at most
   */
  public Found search(NodeScores scores, OpenItems open, int width, int most) {
    if (width < 1 || most < 1 || open.below(0, 0) == 0) {
      throw new IllegalArgumentException("nothing can be found");
    }
    double[] children = new double[tree.arity()];
    Beam beam = new Beam(1);
    beam.offer(0, 0);
    int evaluations = 0;
    for (int level = 0; level < tree.depth(); level++) {
      Beam next = new Beam(level == tree.depth() - 1 ? most : width);
      for (int i = 0; i < beam.size; i++) {
        evaluations += children(level, beam.nodes[i], scores, open, children);
        for (int child = 0; child < children.length; child++) {
          if (children[child] > Double.NEGATIVE_INFINITY) {
            next.offer(beam.nodes[i] * tree.arity() + child, beam.logs[i] + children[child]);
          }
        }
      }
      beam = next;
    }
    int[] items = new int[beam.size];
    for (int i = 0; i < items.length; i++) {
      items[i] = tree.item(tree.from(tree.depth(), beam.nodes[i]));
    }
    return new Found(items, Arrays.copyOf(beam.logs, beam.size), evaluations);
  }

  /**
   * What a search found.
   *
   * @param items likeliest first
   * @param logChances the logarithm of each item's chance
   * @param evaluations how many nodes were scored
   */
  @SuppressWarnings("ArrayRecordComponent") // carried, not compared
  public record Found(int[] items, double[] logChances, int evaluations) {}

  /** The likeliest nodes so far, likeliest first, the first that was offered of equal ones. */
  private static final class Beam {
    private final long[] nodes;
    private final double[] logs;
    private int size;

    Beam(int width) {
      nodes = new long[width];
      logs = new double[width];
    }

    void offer(long node, double log) {
      int at = size < nodes.length ? size++ : size;
      if (at == nodes.length) {
        if (!(log > logs[at - 1])) {
          return;
        }
        at--;
      }
      while (at > 0 && logs[at - 1] < log) {
        nodes[at] = nodes[at - 1];
        logs[at] = logs[at - 1];
        at--;
      }
      nodes[at] = node;
      logs[at] = log;
    }
  }
}
