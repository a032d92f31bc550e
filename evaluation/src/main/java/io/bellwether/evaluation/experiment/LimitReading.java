package io.bellwether.evaluation.experiment;

/**
 * One operational figure of a variant in the present phase, held against its hard limit.
 *
 * @param limit the largest (of agreement: the smallest) amount allowed
 * @param control the control's own figure, for comparison
 * @param exposures decisions that the figure rests on
 * @param crossed whether it is beyond the limit, and not merely as bad as the control; never before
 *     there are enough exposures
 * @param enough whether there is a figure and enough exposures to judge by
 */
public record LimitReading(
    String variant,
    Name name,
    Figure observed,
    Figure control,
    double limit,
    long exposures,
    boolean crossed,
    boolean enough) {

  /** What is limited. */
  public enum Name {
    /** Share of decisions that another than the variant's own policy answered. */
    DEGRADED_SHARE("the share of decisions that a fallback answered"),
    /** 99 % of decisions took at most so many microseconds. */
    DECISION_P99_MICROS("the 99 % decision time in microseconds"),
    /** Share of decisions that a shadow could not score. */
    SHADOW_ERROR_SHARE("the share of decisions that the shadow could not score"),
    /** 99 % of scorings in the shadow took at most so many microseconds. */
    SHADOW_P99_MICROS("the 99 % scoring time in microseconds"),
    /** Mean total variation distance between the shadow's distribution and the one that served. */
    SHADOW_DISTANCE("the mean distance from what was served"),
    /** Mean share of positions at which both have the same item. */
    SHADOW_AGREEMENT("the mean agreement with what was served");

    private final String words;

    Name(String words) {
      this.words = words;
    }

    public String words() {
      return words;
    }
  }
}
