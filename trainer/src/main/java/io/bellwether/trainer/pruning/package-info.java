/**
 * Whole hidden units taken out of a trained actor, step by step, while it learns to decide as it
 * did before: a network with smaller matrices, not with zeros. Read {@link
 * io.bellwether.trainer.pruning.GradualPruning} first.
 */
@org.jspecify.annotations.NullMarked
package io.bellwether.trainer.pruning;
