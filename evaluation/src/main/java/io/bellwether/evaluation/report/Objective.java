package io.bellwether.evaluation.report;

/**
 * What the target policy has to be better at.
 *
 * @param minLift how much better than the baseline it must be shown to be, in the sense of the
 *     direction; negative for "not much worse"
 * @param relative whether {@code minLift} is a share of the baseline's value or in the signal's
 *     unit
 */
public record Objective(String signal, Direction direction, double minLift, boolean relative) {

  public enum Direction {
    MAXIMIZE,
    MINIMIZE
  }

  public static Objective maximize(String signal) {
    return new Objective(signal, Direction.MAXIMIZE, 0, false);
  }

  public static Objective minimize(String signal) {
    return new Objective(signal, Direction.MINIMIZE, 0, false);
  }

  public Objective withMinLift(double amount) {
    return new Objective(signal, direction, amount, false);
  }

  public Objective withRelativeMinLift(double share) {
    return new Objective(signal, direction, share, true);
  }

  Contrast contrast() {
    int sign = direction == Direction.MAXIMIZE ? 1 : -1;
    return relative
        ? new Contrast(signal, sign, 1 + sign * minLift, 0)
        : new Contrast(signal, sign, 1, sign * minLift);
  }
}
