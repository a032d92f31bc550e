package io.bellwether.loadtest.chaos;

/**
 * How much is injected.
 *
 * @param faults one after the other, at least 1
 * @param perSecond decisions that are asked for, on average
 */
public record ChaosExtent(int faults, double perSecond) {

  public ChaosExtent {
    if (faults < 1 || !(perSecond > 0)) {
      throw new IllegalArgumentException(
          "at least one fault, and decisions; found " + faults + " and " + perSecond);
    }
  }

  /** What a published result rests on. */
  public static ChaosExtent full() {
    return new ChaosExtent(200, 30);
  }

  /** Every kind of fault, and a few twice. */
  public static ChaosExtent quick() {
    return new ChaosExtent(20, 30);
  }

  public ChaosExtent withPerSecond(double other) {
    return new ChaosExtent(faults, other);
  }

  public ChaosExtent withFaults(int other) {
    return new ChaosExtent(other, perSecond);
  }
}
