package io.bellwether.trainer.graph;

/**
 * The derivative of one operator: from the gradient at its output to the gradient at one of its
 * operands.
 */
@FunctionalInterface
interface Backward {
  /** A tensor of the operand's shape. Called only for operands that lead to a variable. */
  Tensor toOperand(int operand, Tensor gradient);
}
