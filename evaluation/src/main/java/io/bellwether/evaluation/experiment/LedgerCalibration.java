package io.bellwether.evaluation.experiment;

import java.util.List;
import java.util.OptionalDouble;

/**
 * How far offline predictions have been right about the experiments that followed them.
 *
 * @param measured predictions next to which an online effect stands
 * @param insideShare share of these whose online effect lies inside the predicted interval
 * @param meanError mean of online minus predicted
 * @param advisory whether offline gates should only advise from now on: fewer than 80 % of at least
 *     20 predictions with 95 % intervals were right
 */
public record LedgerCalibration(
    int measured, Figure insideShare, Figure meanError, boolean advisory) {
  private static final int ENOUGH = 20;
  private static final double RIGHT = 0.8;
  private static final String NOTHING = "NOTHING_MEASURED";

  /** Of the rows of all shipped policies, one metric's at a time: errors have the metric's unit. */
  public static LedgerCalibration of(List<LedgerRow> rows) {
    List<LedgerRow> measured =
        rows.stream().filter(row -> row.error() instanceof Figure.Known).toList();
    OptionalDouble error =
        measured.stream().mapToDouble(row -> row.error().number().orElseThrow()).average();
    OptionalDouble inside = measured.stream().mapToDouble(row -> row.inside() ? 1 : 0).average();
    return new LedgerCalibration(
        measured.size(),
        Figure.of(inside, NOTHING),
        Figure.of(error, NOTHING),
        measured.size() >= ENOUGH && inside.orElse(1) < RIGHT);
  }
}
