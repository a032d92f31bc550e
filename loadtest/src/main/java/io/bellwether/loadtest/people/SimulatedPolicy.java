package io.bellwether.loadtest.people;

/**
 * Any policy for the short-video world: it turns visible states and candidates into probabilities.
 * Thread-safe when {@link TrueValue} is given more than one thread.
 */
@FunctionalInterface
public interface SimulatedPolicy {
  /**
   * Fills {@code probabilities[0 .. batch.size())}, each row summing to 1 within 1e-6. A row's
   * result may not depend on the rows beside it.
   */
  void fill(DecisionBatch batch, double[] probabilities);
}
