package io.bellwether.evaluation.experiment;

/**
 * What the offline evaluation of a treatment's version promised: the difference to the control per
 * decision, with its interval.
 */
public record Prediction(
    String metric, String variant, double difference, double lower, double upper) {

  public Prediction {
    if (!Double.isFinite(difference)
        || !Double.isFinite(lower)
        || !Double.isFinite(upper)
        || lower > upper) {
      throw new IllegalArgumentException("%s in [%s, %s]".formatted(difference, lower, upper));
    }
  }
}
