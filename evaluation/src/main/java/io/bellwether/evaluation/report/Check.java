package io.bellwether.evaluation.report;

/**
 * One diagnostic held against its limit.
 *
 * @param observed the figure
 * @param limit the limit that it crossed, or the first one that it could cross
 */
public record Check(String name, double observed, double limit, Status status) {

  public enum Status {
    OK,
    /** Printed next to the values. */
    WARN,
    /** Values stand, but the verdict cannot be a pass. */
    BLOCKS_PASS,
    /** No value of this report decides anything. */
    REFUSE
  }

  public Check {
    if (!Double.isFinite(observed) || !Double.isFinite(limit)) {
      throw new IllegalArgumentException("%s: %s, %s".formatted(name, observed, limit));
    }
  }

  static Check above(String name, double observed, double warn, double refuse) {
    if (observed > refuse) {
      return new Check(name, observed, refuse, Status.REFUSE);
    }
    return new Check(name, observed, warn, observed > warn ? Status.WARN : Status.OK);
  }

  static Check warnAbove(String name, double observed, double warn) {
    return new Check(name, observed, warn, observed > warn ? Status.WARN : Status.OK);
  }

  static Check blocksAbove(String name, double observed, double limit) {
    return new Check(name, observed, limit, observed > limit ? Status.BLOCKS_PASS : Status.OK);
  }

  public String words() {
    return "%s is %s, limit %s".formatted(name, Words.number(observed), Words.number(limit));
  }
}
