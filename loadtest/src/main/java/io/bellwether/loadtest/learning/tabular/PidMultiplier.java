package io.bellwether.loadtest.learning.tabular;

/**
 * The price of one limit, moved by a controller with proportional, integral and derivative parts.
 * Confined to one thread.
 *
 * <p>Source: Stooke, Achiam and Abbeel, "Responsive Safety in Reinforcement Learning by PID
 * Lagrangian Methods", 2020. Difference: the integral stands still while the price is at its cap.
 */
final class PidMultiplier {
  /** Updates at the cap after which the limit counts as impossible to keep. */
  private static final int HOPELESS = 50;

  /** What an error is multiplied by; all at least 0. */
  record Gains(double proportional, double integral, double derivative) {

    Gains times(double factor) {
      return new Gains(proportional * factor, integral * factor, derivative * factor);
    }
  }

  private final Gains gains;
  private final double cap;
  private double integral;
  private double previous;
  private double value;
  private int updatesAtCap;

  PidMultiplier(Gains gains, double cap) {
    this.gains = gains;
    this.cap = cap;
  }

  double value() {
    return value;
  }

  /** Whether it has been at its cap for long: no price keeps the limit. */
  boolean isHopeless() {
    return updatesAtCap >= HOPELESS;
  }

  /** {@code error}: how far the limit is from being kept; below 0 it is kept. */
  void update(double error) {
    if (value < cap || error < 0) {
      integral = Math.max(0, integral + error);
    }
    double growth = Math.max(0, error - previous);
    double price =
        gains.proportional * error + gains.integral * integral + gains.derivative * growth;
    previous = error;
    value = Math.max(0, Math.min(cap, price));
    updatesAtCap = value >= cap ? updatesAtCap + 1 : 0;
  }
}
