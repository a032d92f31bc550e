/**
 * A policy over a catalogue that is too large to score: items are the leaves of a balanced tree,
 * and a decision goes down from its root. Read {@link io.bellwether.trainer.tree.ItemTree} first,
 * then {@link io.bellwether.trainer.tree.TreePolicy} and {@link
 * io.bellwether.trainer.tree.TreeTraining}.
 */
@org.jspecify.annotations.NullMarked
package io.bellwether.trainer.tree;
