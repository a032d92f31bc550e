package io.bellwether.evaluation.experiment;

import io.bellwether.evaluation.interval.Beta;
import java.util.OptionalDouble;

/**
 * Which of two rankings units prefer when both are shown interleaved: each unit counts once, by the
 * sign of its credit. A preference, never a magnitude. Immutable.
 *
 * @param wins units that gave the second ranking, the treatment, more credit
 * @param losses units that gave the first more
 * @param ties units that gave both the same, or none
 */
public record SignTest(long wins, long losses, long ties) {

  public SignTest {
    if (wins < 0 || losses < 0 || ties < 0) {
      throw new IllegalArgumentException(
          "%d wins, %d losses, %d ties".formatted(wins, losses, ties));
    }
  }

  /** Exact and two-sided, of "no preference"; ties say nothing, and without others it is empty. */
  public OptionalDouble pValue() {
    long decided = decided();
    if (decided == 0) {
      return OptionalDouble.empty();
    }
    long fewer = Math.min(wins, losses);
    double atMost = Beta.cumulative(0.5, decided - fewer, fewer + 1.0);
    return OptionalDouble.of(Math.min(1, 2 * atMost));
  }

  /** Distance from an even split in standard deviations; empty if all are ties. */
  public OptionalDouble z() {
    return decided() == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of((wins - losses) / Math.sqrt(decided()));
  }

  /**
   * Share of units that prefer the second, ties counted half, above one half; empty without any.
   */
  public OptionalDouble preference() {
    double total = (double) decided() + ties;
    return total == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of((wins + ties / 2.0) / total - 0.5);
  }

  private long decided() {
    return wins + losses;
  }
}
