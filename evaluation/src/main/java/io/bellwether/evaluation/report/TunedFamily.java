package io.bellwether.evaluation.report;

import java.util.List;

/**
 * How a family's cut or shrinkage was chosen for a signal under the target policy.
 *
 * @param family the estimator's name, such as {@code switch-dr}
 * @param method {@code direct-mse}: the candidate with the smallest estimated mean squared error
 * @param selected the parameter that the report uses, in the candidates' words
 * @param selectedBySlope what the rule SLOPE would have chosen, shown alongside
 * @param unlimited the family's value without any cut, to be read beside the chosen one
 */
public record TunedFamily(
    String signal,
    String family,
    String method,
    String selected,
    String selectedBySlope,
    Candidate unlimited,
    List<Candidate> candidates) {

  /**
   * One parameter tried.
   *
   * @param parameter a number, or {@code unlimited}
   * @param estimatedBias magnitude, in the signal's unit
   * @param meanSquaredError variance of the value plus the square of the estimated bias
   */
  public record Candidate(
      String parameter,
      double value,
      double standardError,
      double estimatedBias,
      double meanSquaredError) {}

  public TunedFamily {
    candidates = List.copyOf(candidates);
  }
}
