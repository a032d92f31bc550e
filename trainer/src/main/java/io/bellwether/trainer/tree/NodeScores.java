package io.bellwether.trainer.tree;

/** Scores of the nodes of a tree in one state. */
@FunctionalInterface
public interface NodeScores {

  /**
   * The score of a node among its siblings, finite.
   *
   * @param id as {@link ItemTree#id} numbers nodes
   */
  double of(int id);
}
