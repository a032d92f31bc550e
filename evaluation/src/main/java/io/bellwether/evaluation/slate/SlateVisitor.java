package io.bellwether.evaluation.slate;

/** Is shown the slates of a law one after the other. */
@FunctionalInterface
public interface SlateVisitor {

  /**
   * @param slate item by position; changes after the call
   * @param probability of the slate, in [0, 1]
   */
  void visit(int[] slate, double probability);
}
