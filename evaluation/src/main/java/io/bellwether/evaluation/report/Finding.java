package io.bellwether.evaluation.report;

import java.util.List;
import java.util.Locale;

/**
 * Something that validation found in the data.
 *
 * @param column the signal or column concerned
 * @param count how many rows (or decisions) show it
 * @param examples up to five places, such as {@code row 17}, counted from 0; of candidates hashes
 *     of decision ids in hexadecimal
 */
public record Finding(
    Code code, Severity severity, String column, long count, List<String> examples) {

  /** Every kind of finding, and what is wrong in words. */
  public enum Code {
    PROPENSITY_NON_POSITIVE("a propensity is above 0; negative ones look like log-probabilities"),
    PROPENSITY_ABOVE_ONE("a propensity is at most 1"),
    PROPENSITY_NOT_FINITE("a propensity is a number"),
    PROPENSITY_TINY("propensities of at most 1e-6 give weights that one row can dominate"),
    PROPENSITY_VECTOR_SUM("the candidates' propensities add up to 1"),
    PROPENSITY_MISMATCH("the shown item's propensity is the one in its vector"),
    ACTION_NOT_IN_CANDIDATES("the shown item is a candidate"),
    TARGET_NOT_DISTRIBUTION("a target probability lies in [0, 1], and all of them add up to 1"),
    NEGATIVE_WEIGHT("a weight is at least 0 and at most 1e50"),
    REWARD_NOT_FINITE("a reward is a number, at most 1e50 in size"),
    REWARD_OUT_OF_RANGE("rewards outside the declared range void bounds that rest on it"),
    DISTANCE_NOT_A_NUMBER("divergences and masses are at least 0"),
    ROWS_NOT_IN_ORDER("rows of a decision stand together with positions 0, 1, …"),
    NO_OVERLAP("the target policy never does what the log shows"),
    UNSUPPORTED_MASS("the target policy shows items that the logging policy never shows"),
    TOO_FEW_ROWS("too few decisions to judge by"),
    ZERO_VARIANCE("all rewards are equal, which is no proof of certainty"),
    FEW_EVENTS("fewer than 10 events or non-events; normal intervals do not hold"),
    Q_NOT_FINITE("a reward model's prediction is a number, at most 1e50 in size"),
    Q_SHAPE("a reward model has a prediction and an expectation for every row"),
    SELF_NORM_TINY("the mean weight is below 0.1: self-normalised values rest on little"),
    DETERMINISTIC_LOGGING("the logging policy did not explore"),
    DUPLICATE_DECISION("decisions that came twice are counted once"),
    IMMATURE_ROWS("decisions whose windows are still open are left out"),
    FALLBACK_ROWS("decisions of a fallback are left out");

    private final String words;

    Code(String words) {
      this.words = words;
    }

    public String words() {
      return words;
    }
  }

  public Finding {
    examples = List.copyOf(examples);
  }

  public String words() {
    return String.format(Locale.ROOT, "%s (%s): %s; %d rows", code, column, code.words(), count);
  }
}
