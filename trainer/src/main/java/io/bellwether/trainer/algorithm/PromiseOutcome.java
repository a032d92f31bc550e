package io.bellwether.trainer.algorithm;

/**
 * How a promise stood at the end of training, estimated on training data: a hint for the operator,
 * no evidence.
 *
 * @param bound the bound in the signal's unit, per row or per episode as the algorithm judges
 * @param estimate estimated mean of the signal under the trained policy, likewise
 * @param standardError of the difference between estimate and bound
 * @param multiplier the price at the end, at least 0
 * @param hopeless whether the promise cannot be kept on this data: its price had been at its cap
 *     for ten updates, or nothing that was tried without prices keeps it
 */
public record PromiseOutcome(
    Promise promise,
    double bound,
    double estimate,
    double standardError,
    double multiplier,
    boolean hopeless) {

  /** Whether the estimate itself lies on the promised side. */
  public boolean isKept() {
    return promise.sense().sign() * (estimate - bound) >= 0;
  }
}
