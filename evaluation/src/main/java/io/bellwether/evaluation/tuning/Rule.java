package io.bellwether.evaluation.tuning;

/** How one of the candidates is chosen. */
public enum Rule {

  /** The smallest estimated mean squared error; the default. */
  DIRECT_MSE("direct-mse"),

  /** The smallest mean squared error with the bias at its bound: hardly ever cuts. */
  BOUNDED_MSE("bounded-mse"),

  /** {@link Slope}. */
  SLOPE("slope");

  private final String label;

  Rule(String label) {
    this.label = label;
  }

  /** Its name in reports. */
  public String label() {
    return label;
  }
}
