package io.bellwether.evaluation.report;

/**
 * The one quantity behind objective and constraints alike: {@code sign·(V_target −
 * factor·V_baseline − offset)}, which must not be below 0.
 *
 * @param sign 1 where more is better, −1 where less is
 * @param factor 0 where the baseline plays no part
 */
public record Contrast(String signal, int sign, double factor, double offset) {

  public Contrast {
    if (sign != 1 && sign != -1) {
      throw new IllegalArgumentException("a sign is 1 or -1, found " + sign);
    }
    if (!Double.isFinite(factor) || !Double.isFinite(offset)) {
      throw new IllegalArgumentException("factor %s, offset %s".formatted(factor, offset));
    }
  }

  boolean isAgainstBaseline() {
    return factor != 0;
  }
}
