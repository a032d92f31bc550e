package io.bellwether.trainer.algorithm;

/**
 * The price of one promise and the controller's memory of how it was kept so far. Confined to one
 * thread.
 */
final class Multiplier {
  /** Updates at the cap after which a promise counts as impossible to keep. */
  private static final int HOPELESS = 10;

  private static final double LARGEST_SHORTFALL = 1;

  private final MultiplierConfig config;
  private double integral;
  private double previous;
  private double value;
  private int updatesAtCap;

  Multiplier(MultiplierConfig config) {
    this.config = config;
  }

  double value() {
    return value;
  }

  /** All that the next price depends on, for {@link #recall}. */
  double[] memory() {
    return new double[] {integral, previous, value, updatesAtCap};
  }

  void recall(double[] memory) {
    integral = memory[0];
    previous = memory[1];
    value = memory[2];
    updatesAtCap = (int) memory[3];
  }

  boolean isHopeless() {
    return updatesAtCap >= HOPELESS;
  }

  /**
   * Moves the price by how far the promise is from being kept, as a share of its bound; below 0 it
   * is kept.
   */
  void update(double shortfall) {
    double error = Math.max(-LARGEST_SHORTFALL, Math.min(LARGEST_SHORTFALL, shortfall));
    boolean atCap = value >= config.cap();
    if (!atCap || error < 0) {
      integral = Math.max(0, integral + error);
    }
    double growth = Math.max(0, error - previous);
    double price =
        config.proportional() * error + config.integral() * integral + config.derivative() * growth;
    previous = error;
    value = Math.max(0, Math.min(config.cap(), price));
    updatesAtCap = value >= config.cap() ? updatesAtCap + 1 : 0;
  }
}
