package io.bellwether.evaluation.support;

import java.util.List;

/**
 * Something that is wrong or remarkable with the probabilities of some decisions' candidates.
 *
 * @param count how many decisions show it
 * @param examples the numbers of up to five of them, the smallest
 */
public record VectorFinding(Code code, Severity severity, long count, List<Long> examples) {

  public enum Severity {
    /** Printed. */
    INFO,
    /** Printed next to the values. */
    WARN,
    /** Diagnostics are computed, values are not. */
    REFUSE,
    /** The data is invalid; these decisions are in no other figure of {@link Support}. */
    ERROR
  }

  public enum Code {
    PROPENSITY_VECTOR_SUM("propensities of all candidates add up to 1"),
    PROPENSITY_MISMATCH("the logged propensity is the one in the vector of all candidates"),
    PROPENSITY_NON_POSITIVE("what was shown had a chance to be shown"),
    TARGET_NOT_DISTRIBUTION("target probabilities are at least 0 and add up to 1"),
    ACTION_NOT_IN_CANDIDATES("what was shown was one of the candidates"),
    DETERMINISTIC_LOGGING("the logging policy had no choice where the target has one"),
    PROPENSITY_TINY("propensities below 1e-6, or below one draw, are a floor and no measurement"),
    UNSUPPORTED_MASS("the target shows items that the logging policy never shows");

    private final String words;

    Code(String words) {
      this.words = words;
    }

    public String words() {
      return words;
    }
  }

  public VectorFinding {
    examples = List.copyOf(examples);
  }
}
